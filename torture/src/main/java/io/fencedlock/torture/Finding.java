package io.fencedlock.torture;

import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.Violation;
import java.util.List;

/**
 * Something that must not happen, with what proves it. Immutable and thread-safe.
 *
 * @param kind what it counts as
 * @param phase the number of the phase, and what was broken in it
 * @param explanation one sentence
 * @param proof the events; may be empty
 */
public record Finding(Kind kind, String phase, String explanation, List<Event> proof) {

    /** What a finding counts as. */
    public enum Kind {
        /** A write with an older token was accepted. */
        STALE_WRITE,
        /** Two grants have one token, or a later one has a smaller token. */
        TOKEN,
        /** A write overwrote a value that it was not computed from. */
        LOST_UPDATE,
        /** A call did not end in time, or a lock could not be had after healing. */
        HANG,
        /** Something was left on the servers or in a worker. */
        LEFTOVER,
        /** Another law of the history is broken: exclusion, a loss told too late, an untrue answer, a false refusal. */
        OTHER,
        /** The backend's profile says that this may happen under the faults of the phase. */
        DECLARED
    }

    /** Copies the events. */
    public Finding {
        proof = List.copyOf(proof);
    }

    static Kind kind(Violation violation) {
        return switch (violation.law()) {
            case STALE_WRITE -> reading(violation) ? Kind.OTHER : Kind.STALE_WRITE;
            case UNIQUE_TOKENS, TOKEN_ORDER -> Kind.TOKEN;
            case LOST_UPDATE -> Kind.LOST_UPDATE;
            case BOUNDED -> Kind.HANG;
            case RESIDUE -> Kind.LEFTOVER;
            case EXCLUSION,
                    CONTIGUOUS_WRITES,
                    FALSE_REFUSAL,
                    TRUTHFUL_WRITE,
                    TRUTHFUL_RELEASE,
                    TRUTHFUL_RENEWAL,
                    LOSS_TOLD,
                    TOLD_ONCE -> Kind.OTHER;
        };
    }

    /** Without a fence the older holder also reads; that alone spoils nothing. */
    private static boolean reading(Violation violation) {
        Event last = violation.proof().get(violation.proof().size() - 1);
        return last.more(Event.ADVANCE) != null;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind + " in " + phase + ": " + explanation);
        proof.forEach(event -> text.append("\n    ").append(event));
        return text.toString();
    }
}
