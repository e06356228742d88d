package io.fencedlock.compliance.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events put together: operations, holds per lock in the order of their tokens, the order of each resource. */
final class History {

    final Map<String, List<Hold>> holds = new LinkedHashMap<>();
    final Map<String, List<Event>> applied = new LinkedHashMap<>();
    final List<Span> writes = new ArrayList<>();
    final List<Span> acquires = new ArrayList<>();
    final List<Event> residue = new ArrayList<>();
    final Faults faults = new Faults();
    final Map<String, Long> lastSeen = new HashMap<>();
    private final Map<String, Hold> byHolder = new HashMap<>();

    private record OpId(String process, long op, Action action) {}

    History(List<Event> events) {
        List<Event> inTime =
                events.stream().sorted(Comparator.comparingLong(Event::at)).toList();
        Map<OpId, Event> begun = new LinkedHashMap<>();
        Map<OpId, Event> ended = new HashMap<>();
        List<Event> losses = new ArrayList<>();
        for (Event event : inTime) {
            lastSeen.merge(event.process(), event.at(), Math::max);
            OpId id = new OpId(event.process(), event.op(), event.action());
            switch (event.action()) {
                case APPLY ->
                    applied.computeIfAbsent(event.subject(), s -> new ArrayList<>())
                            .add(event);
                case LOST -> losses.add(event);
                case RESIDUE -> residue.add(event);
                case ACQUIRE, RENEW, RELEASE, WRITE, FAULT ->
                    (event.phase() == Phase.INVOKE ? begun : ended).putIfAbsent(id, event);
            }
        }
        List<Span> spans = new ArrayList<>();
        begun.forEach((id, event) -> spans.add(new Span(event, ended.get(id))));
        spans.forEach(this::sortIn);
        spans.forEach(this::attach);
        losses.forEach(this::attachLoss);
        holds.values().forEach(list -> list.sort(Comparator.comparingLong(Hold::token)));
        holds.values().forEach(list -> list.forEach(this::endByFault));
        applied.values().forEach(list -> list.sort(Comparator.comparingLong(e -> e.number(Event.NUMBER, 0))));
    }

    private void sortIn(Span span) {
        switch (span.invoke().action()) {
            case ACQUIRE -> {
                acquires.add(span);
                if (span.ended(Phase.OK)) {
                    Hold hold = new Hold(span.invoke(), span.last());
                    holds.computeIfAbsent(span.invoke().subject(), s -> new ArrayList<>())
                            .add(hold);
                    byHolder.put(span.last().holder(), hold);
                }
            }
            case WRITE -> writes.add(span);
            case FAULT -> faults.add(span);
            case RENEW, RELEASE, APPLY, LOST, RESIDUE -> {}
        }
    }

    private void attach(Span span) {
        Hold hold = byHolder.get(span.invoke().holder());
        if (hold == null) {
            return;
        }
        if (span.invoke().action() == Action.RELEASE && hold.release == null) {
            hold.release = span;
            hold.endsWith(span.invoke());
        } else if (span.invoke().action() == Action.RENEW) {
            hold.renewals.add(span);
        }
    }

    private void attachLoss(Event loss) {
        Hold hold = byHolder.get(loss.holder());
        if (hold != null) {
            hold.losses.add(loss);
            hold.endsWith(loss);
        }
    }

    private void endByFault(Hold hold) {
        String process = hold.granted.process();
        faults.first(process, hold.granted.subject(), hold.invoke.at()).ifPresent(hold::endsWith);
    }

    @Nullable
    Hold holdOf(Event event) {
        return byHolder.get(event.holder());
    }
}
