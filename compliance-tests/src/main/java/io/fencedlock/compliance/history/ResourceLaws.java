package io.fencedlock.compliance.history;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The laws of one resource, in the order that the resource itself recorded. */
final class ResourceLaws {

    private final History history;
    private final List<Violation> found = new ArrayList<>();

    ResourceLaws(History history) {
        this.history = history;
    }

    private record Shown(long token, String holder) {}

    private record Written(long token, String holder, String value) {}

    List<Violation> check(String resource, List<Event> order) {
        Event highest = null;
        Event lastValue = null;
        Set<Shown> over = new HashSet<>();
        for (Event event : order) {
            boolean accepted = event.phase() == Phase.OK;
            boolean admitted = highest == null || mark(highest).admits(mark(event));
            if (!accepted && admitted) {
                report(
                        Law.FALSE_REFUSAL,
                        "token " + event.token() + " was refused although the mark admits it",
                        highest,
                        event);
            }
            if (!accepted) {
                continue;
            }
            if (!admitted) {
                report(
                        Law.STALE_WRITE,
                        "token " + event.token() + " was accepted although a newer mark stood",
                        highest,
                        event);
            }
            Event before = highest;
            if (before != null && !shown(before).equals(shown(event))) {
                over.add(shown(before));
            }
            if (over.contains(shown(event))) {
                report(
                        Law.CONTIGUOUS_WRITES,
                        "the writes of token " + event.token() + " are torn apart by another holder's",
                        before,
                        event);
            }
            highest = admitted ? event : highest;
            if (event.more(Event.ADVANCE) == null) {
                lostUpdate(lastValue, event);
                lastValue = event;
            }
        }
        told(resource, order);
        return found;
    }

    private void lostUpdate(@Nullable Event before, Event event) {
        String basedOn = event.more(Event.BASED_ON);
        String stood = before == null ? null : before.more(Event.VALUE);
        if (basedOn != null && stood != null && !basedOn.equals(stood)) {
            report(
                    Law.LOST_UPDATE,
                    "the value written with token " + event.token() + " was computed from " + basedOn + ", not from "
                            + stood + ", which it overwrote",
                    before,
                    event);
        }
    }

    private void told(String resource, List<Event> order) {
        Map<Written, Event> done = new HashMap<>();
        order.stream()
                .filter(event -> event.phase() == Phase.OK && event.more(Event.ADVANCE) == null)
                .forEach(event -> done.put(written(event), event));
        for (Span write : history.writes) {
            if (!write.invoke().subject().equals(resource)) {
                continue;
            }
            Event applied = done.get(written(write.invoke()));
            if (write.ended(Phase.OK) && applied == null) {
                report(
                        Law.TRUTHFUL_WRITE,
                        "a write was acknowledged that the resource never accepted",
                        write.invoke(),
                        write.last());
            }
            if (write.ended(Phase.FAIL) && applied != null) {
                report(Law.TRUTHFUL_WRITE, "a write was refused that the resource accepted", applied, write.last());
            }
            refusedHolder(write);
        }
    }

    /** Refused though nothing had ended its hold: then its token had not grown, or the fence is wrong. */
    private void refusedHolder(Span write) {
        Hold hold = history.holdOf(write.invoke());
        if (hold != null && write.ended(Phase.FAIL) && write.last().at() < hold.endAt()) {
            report(
                    Law.FALSE_REFUSAL,
                    "a write of the present holder, " + hold.named() + ", was refused",
                    hold.granted,
                    write.invoke(),
                    write.last());
        }
    }

    private static Shown shown(Event event) {
        return new Shown(event.token(), event.holder());
    }

    private static Written written(Event event) {
        String value = event.more(Event.VALUE);
        return new Written(event.token(), event.holder(), value == null ? "" : value);
    }

    private static FenceMark mark(Event event) {
        return new FenceMark(event.token(), event.holder().isEmpty() ? null : new HolderId(event.holder()));
    }

    private void report(Law law, String explanation, @Nullable Event first, Event... more) {
        List<Event> proof = new ArrayList<>();
        if (first != null) {
            proof.add(first);
        }
        proof.addAll(List.of(more));
        found.add(new Violation(law, explanation, proof));
    }
}
