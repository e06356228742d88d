package io.fencedlock;

import org.jspecify.annotations.Nullable;

/**
 * A token with its holder: what a lease shows to a fence, and what a fence remembers as the highest it has accepted.
 *
 * <p>A fence admits a mark if and only if its token is above the remembered one, or equal to it and of the same holder
 * ({@link #admits}). Both are compared because a store that lost its last write may hand one number out twice. Immutable and
 * thread-safe. Tokens compare within one lock name only, so a resource is guarded by one lock name.
 *
 * @param token positive
 * @param holder the holder, or null for a mark that an operator raised: then only a larger token passes
 */
public record FenceMark(long token, @Nullable HolderId holder) {

    /**
     * Checks the token.
     *
     * @throws IllegalArgumentException if the token is not positive
     */
    public FenceMark {
        if (token <= 0) {
            throw new IllegalArgumentException("a token is positive, found " + token);
        }
    }

    /**
     * The rule of every fence (FEN-1), with this mark as the remembered one.
     *
     * @param shown the mark of who wants to write
     * @return whether the write may happen
     */
    public boolean admits(FenceMark shown) {
        return shown.token > token || (shown.token == token && holder != null && holder.equals(shown.holder));
    }
}
