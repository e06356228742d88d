package io.fencedlock.cli;

import java.util.List;

/** Which tokens to run with. */
public enum Tokens {
    DEFAULT,
    TEXTBOOK,
    BOTH;

    public List<TokenSource> sources() {
        return switch (this) {
            case DEFAULT -> List.of(TokenSource.DEFAULT);
            case TEXTBOOK -> List.of(TokenSource.TEXTBOOK);
            case BOTH -> List.of(TokenSource.values());
        };
    }
}
