package io.fencedlock.compliance.history;

/** What the checker decides. Each law belongs to a rule of SPEC.md. */
public enum Law {
    /** No two grants of a lock have one token. */
    UNIQUE_TOKENS("TOK-3"),
    /** A grant that returned before another was asked for has the smaller token. */
    TOKEN_ORDER("TOK-2"),
    /** Grants of a lock do not overlap unless a fault explains it. */
    EXCLUSION("EXC-1"),
    /** What a resource accepts never goes back to an older token, nor to its twin. */
    STALE_WRITE("FEN-1"),
    /** The accepted writes of one holder stand together. */
    CONTIGUOUS_WRITES("FEN-2"),
    /** Each accepted write was computed from the value accepted just before it. */
    LOST_UPDATE("FEN-2"),
    /** No write of the present holder is refused. */
    FALSE_REFUSAL("FEN-1"),
    /** What the writer was told is what the resource did. */
    TRUTHFUL_WRITE("FEN-4"),
    /** RELEASED only by the present holder, NOT_HELD never to it. */
    TRUTHFUL_RELEASE("REL-1"),
    /** No renewal succeeds after the next grant. */
    TRUTHFUL_RENEWAL("LEA-5"),
    /** A holder whose process runs is told before the next grant. */
    LOSS_TOLD("LOS-1"),
    /** A loss is told once, and not after a clean release. */
    TOLD_ONCE("LOS-2"),
    /** A try returns within its wait and one command timeout. */
    BOUNDED("WAI-1"),
    /** Nothing is left on the server. */
    RESIDUE("CLI-2");

    private final String rule;

    Law(String rule) {
        this.rule = rule;
    }

    /**
     * The rule of SPEC.md that is broken when this law is.
     *
     * @return its id
     */
    public String rule() {
        return rule;
    }
}
