package io.fencedlock.compliance.history;

import org.jspecify.annotations.Nullable;

/** An operation: its invocation and, unless the worker died or still waits, its end. */
record Span(Event invoke, @Nullable Event end) {

    boolean ended(Phase phase) {
        return end != null && end.phase() == phase;
    }

    Event last() {
        return end == null ? invoke : end;
    }
}
