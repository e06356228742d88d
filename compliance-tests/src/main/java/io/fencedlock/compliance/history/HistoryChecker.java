package io.fencedlock.compliance.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides whether correct locks and resources can have produced a history, and explains what they cannot have done. Unknown outcomes have
 * no end: they may take effect at any later time, or never. Immutable and thread-safe; the time grows like the sorting of the events.
 */
public final class HistoryChecker {

    private final Limits limits;

    /**
     * Makes a checker.
     *
     * @param limits the times to keep
     */
    public HistoryChecker(Limits limits) {
        this.limits = limits;
    }

    /**
     * Reads what workers wrote.
     *
     * @param files one JSON line per event each; a last line without its end, of a worker that was killed, is left out
     * @return all events
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if a line is not an event
     */
    public static List<Event> read(List<Path> files) throws IOException {
        List<Event> events = new ArrayList<>();
        for (Path file : files) {
            String text = Files.readString(file);
            int end = text.lastIndexOf('\n') + 1;
            text.substring(0, end).lines().map(Event::parse).forEach(events::add);
        }
        return events;
    }

    /**
     * Checks a history.
     *
     * @param events in any order
     * @return what it breaks; empty if nothing
     */
    public List<Violation> check(List<Event> events) {
        History history = new History(events);
        Stream<Violation> locks =
                history.holds.values().stream().flatMap(holds -> new LockLaws(history, limits).check(holds).stream());
        Stream<Violation> resources = history.applied.entrySet().stream()
                .flatMap(e -> new ResourceLaws(history).check(e.getKey(), e.getValue()).stream());
        Stream<Violation> others = Stream.concat(bounded(history), residue(history));
        return Stream.concat(Stream.concat(locks, resources), others).toList();
    }

    private Stream<Violation> bounded(History history) {
        return history.acquires.stream()
                .filter(acquire -> acquire.end() != null && acquire.invoke().more(Event.WAIT) != null)
                .filter(acquire -> took(acquire) > allowed(history, acquire))
                .map(acquire -> new Violation(
                        Law.BOUNDED,
                        "a try took " + took(acquire) / 1_000_000 + " ms, " + allowed(history, acquire) / 1_000_000
                                + " ms were allowed",
                        List.of(acquire.invoke(), acquire.last())));
    }

    private static long took(Span span) {
        return span.last().at() - span.invoke().at();
    }

    /** While its process stands still nobody can end a call. */
    private long allowed(History history, Span acquire) {
        long wait = acquire.invoke().number(Event.WAIT, 0);
        long paused = history.faults.lasted(
                Fault.PAUSE,
                acquire.invoke().process(),
                acquire.invoke().at(),
                acquire.last().at());
        return wait + limits.commandTimeout().toNanos() + limits.tolerance().toNanos() + paused;
    }

    private static Stream<Violation> residue(History history) {
        return history.residue.stream()
                .filter(event -> event.number(Event.COUNT, 0) > 0)
                .map(event -> new Violation(
                        Law.RESIDUE,
                        event.more(Event.COUNT) + " entries are left in " + event.subject(),
                        List.of(event)));
    }
}
