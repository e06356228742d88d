package io.fencedlock.compliance.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The faults of a history: each with its time, and whom it concerns. */
final class Faults {

    private static final String ALL = "*";

    private record Spell(Fault kind, Event begin, long end) {
        boolean is(Fault asked) {
            return kind == asked || (asked == Fault.DROP && kind == Fault.SPLIT);
        }

        boolean concerns(String process, String lock) {
            boolean whole = begin.process().equals(ALL) || begin.process().equals(process);
            return whole && (begin.subject().isEmpty() || begin.subject().equals(lock));
        }
    }

    private final List<Spell> spells = new ArrayList<>();

    void add(Span fault) {
        String kind = fault.invoke().more(Event.FAULT);
        if (kind == null) {
            throw new IllegalArgumentException("a fault needs \"" + Event.FAULT + "\": " + fault.invoke());
        }
        Event end = fault.end();
        spells.add(new Spell(
                Fault.valueOf(kind.toUpperCase(Locale.ROOT)), fault.invoke(), end == null ? Long.MAX_VALUE : end.at()));
    }

    /** The first fault that may have ended what a process held from some time on. */
    Optional<Event> first(String process, String lock, long from) {
        return spells.stream()
                .filter(s -> s.end() >= from && s.concerns(process, lock))
                .map(Spell::begin)
                .min((a, b) -> Long.compare(a.at(), b.at()));
    }

    boolean any(Fault kind, String process, String lock, long from, long to) {
        return spells.stream()
                .anyMatch(s -> s.is(kind) && s.end() >= from && s.begin().at() <= to && s.concerns(process, lock));
    }

    /** For how long within a time a process had a fault of a kind, however many overlap. */
    long lasted(Fault kind, String process, long from, long to) {
        List<Spell> all = spells.stream()
                .filter(s -> s.is(kind) && s.concerns(process, ""))
                .sorted(Comparator.comparingLong(s -> s.begin().at()))
                .toList();
        long covered = from;
        long sum = 0;
        for (Spell spell : all) {
            long begin = Math.max(covered, spell.begin().at());
            long end = Math.min(to, spell.end());
            sum += Math.max(0, end - begin);
            covered = Math.max(covered, end);
        }
        return sum;
    }

    /** When the last fault of a kind within a time was over, or {@code otherwise} if there was none. */
    long lastEnd(Fault kind, String process, String lock, long from, long to, long otherwise) {
        return spells.stream()
                .filter(s -> s.is(kind) && s.end() >= from && s.begin().at() <= to && s.concerns(process, lock))
                .mapToLong(Spell::end)
                .max()
                .orElse(otherwise);
    }
}
