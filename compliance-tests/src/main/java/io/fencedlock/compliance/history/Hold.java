package io.fencedlock.compliance.history;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One grant and what became of it. */
final class Hold {

    final Event invoke;
    final Event granted;
    final List<Span> renewals = new ArrayList<>();
    final List<Event> losses = new ArrayList<>();

    @Nullable
    Span release;
    /** The first event after which nobody may count on the hold: a release, a loss told, a fault; null: none. */
    @Nullable
    Event end;

    Hold(Event invoke, Event granted) {
        this.invoke = invoke;
        this.granted = granted;
    }

    long token() {
        return granted.token();
    }

    /** From when on the next holder may be granted: with a fault under way that may be before this one hears of its own grant. */
    long endAt() {
        return end == null ? Long.MAX_VALUE : end.at();
    }

    /** When the holder knew by itself that it is over. */
    long knownAt() {
        long released = release == null ? Long.MAX_VALUE : release.invoke().at();
        return losses.stream().mapToLong(Event::at).reduce(released, Math::min);
    }

    void endsWith(Event event) {
        if (end == null || event.at() < end.at()) {
            end = event;
        }
    }

    String named() {
        return "token " + token() + " of " + granted.process();
    }
}
