package io.fencedlock.compliance.history;

import java.util.List;

/**
 * A law that a history breaks, with the few events that prove it. Immutable and thread-safe.
 *
 * @param law the law
 * @param explanation one sentence
 * @param proof the events, in the order of the explanation
 */
public record Violation(Law law, String explanation, List<Event> proof) {

    /** Copies the events. */
    public Violation {
        proof = List.copyOf(proof);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(law + " (" + law.rule() + "): " + explanation);
        proof.forEach(event -> text.append("\n    ").append(event));
        return text.toString();
    }
}
