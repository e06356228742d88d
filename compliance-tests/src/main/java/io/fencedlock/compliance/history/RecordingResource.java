package io.fencedlock.compliance.history;

import io.fencedlock.FenceMark;
import io.fencedlock.StaleTokenException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource in memory that checks tokens and records each decision in its own order. Thread-safe. With the fence off it accepts
 * everything, to show what a resource without a fence does.
 */
public final class RecordingResource {

    private final Recorder recorder;
    private final boolean fenced;
    private final Map<String, Cell> cells = new HashMap<>();

    private static final class Cell {
        private @Nullable FenceMark mark;
        private @Nullable String value;
        private long number;
    }

    /**
     * Makes a resource.
     *
     * @param recorder where its decisions go
     * @param fenced whether it checks
     */
    public RecordingResource(Recorder recorder, boolean fenced) {
        this.recorder = recorder;
        this.fenced = fenced;
    }

    /**
     * Raises the mark and reads.
     *
     * @param resource the value's name
     * @param mark the holder's
     * @return the value, empty if there is none
     * @throws StaleTokenException if refused
     */
    public synchronized Optional<String> advance(String resource, FenceMark mark) {
        return Optional.ofNullable(decide(resource, mark, null, null).value);
    }

    /**
     * Writes.
     *
     * @param resource the value's name
     * @param mark the holder's
     * @param value the new value, unique in the history
     * @param basedOn the value that it was computed from, or null
     * @throws StaleTokenException if refused; nothing was written
     */
    public synchronized void write(String resource, FenceMark mark, String value, @Nullable String basedOn) {
        decide(resource, mark, value, basedOn).value = value;
    }

    private Cell decide(String resource, FenceMark shown, @Nullable String value, @Nullable String basedOn) {
        Cell cell = cells.computeIfAbsent(resource, r -> new Cell());
        FenceMark mark = cell.mark;
        boolean accepted = !fenced || mark == null || mark.admits(shown);
        recorder.applied(resource, ++cell.number, shown, accepted, value, basedOn);
        if (mark != null && !accepted) {
            throw new StaleTokenException(resource, shown.token(), mark.token());
        }
        cell.mark = shown;
        return cell;
    }
}
