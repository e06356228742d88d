package io.fencedlock;

/**
 * The resource refused a write because it has already accepted a newer token (or the same one of another holder). Nothing was
 * written. Stop: a newer holder exists or existed.
 */
public final class StaleTokenException extends FencedLockException {

    private static final long serialVersionUID = 1L;

    private final String resource;
    private final long staleToken;
    private final long acceptedToken;

    /**
     * Makes one.
     *
     * @param resource what was to be written
     * @param staleToken the token that was shown
     * @param acceptedToken the highest token that the resource has accepted
     */
    public StaleTokenException(String resource, long staleToken, long acceptedToken) {
        super(
                "write to " + resource + " refused: token " + staleToken + " is stale, token " + acceptedToken
                        + (staleToken == acceptedToken ? " of another holder" : "") + " was accepted before",
                null);
        this.resource = resource;
        this.staleToken = staleToken;
        this.acceptedToken = acceptedToken;
    }

    /**
     * What was to be written.
     *
     * @return the resource
     */
    public String resource() {
        return resource;
    }

    /**
     * The refused token.
     *
     * @return the token that was shown
     */
    public long staleToken() {
        return staleToken;
    }

    /**
     * The mark of the resource.
     *
     * @return the highest token accepted before
     */
    public long acceptedToken() {
        return acceptedToken;
    }
}
