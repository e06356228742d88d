package io.fencedlock.compliance.history;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One line of a history. Immutable and thread-safe.
 *
 * @param at nanoseconds of the host's monotonic clock ({@link System#nanoTime}, the same for all processes of a host)
 * @param process the worker; {@code *} in a fault that concerns all
 * @param op the operation: the same number in its first and its last event, unique within the process
 * @param action what it is about
 * @param phase where in the operation
 * @param subject the lock's or the resource's name
 * @param token the token, 0 where there is none
 * @param holder the holder's id, empty where there is none
 * @param more further entries by name, see the constants
 */
public record Event(
        long at,
        String process,
        long op,
        Action action,
        Phase phase,
        String subject,
        long token,
        String holder,
        Map<String, String> more) {

    /** Of an {@link Action#ACQUIRE} invocation: the longest wait in nanoseconds. */
    public static final String WAIT = "wait";
    /** Of a granted {@link Action#ACQUIRE}: the lease time in nanoseconds. */
    public static final String LEASE = "lease";
    /** Of {@link Action#WRITE} and {@link Action#APPLY}: what was written. */
    public static final String VALUE = "value";
    /** Of {@link Action#WRITE} and {@link Action#APPLY}: the value that the write was computed from. */
    public static final String BASED_ON = "based-on";
    /** Of an {@link Action#APPLY}: its place in the resource's order. */
    public static final String NUMBER = "n";
    /** Of an {@link Action#APPLY}: {@code true} when it only raised the mark. */
    public static final String ADVANCE = "advance";
    /** Of an {@link Action#FAULT}: one of {@link Fault}, in lower case. */
    public static final String FAULT = "fault";
    /** Of a {@link Action#RESIDUE}: how many entries were left. */
    public static final String COUNT = "count";

    /** Copies the further entries. */
    public Event {
        more = Map.copyOf(more);
    }

    /**
     * A further entry.
     *
     * @param name one of the constants
     * @return its text, or null
     */
    public @Nullable String more(String name) {
        return more.get(name);
    }

    long number(String name, long otherwise) {
        String text = more.get(name);
        return text == null ? otherwise : Long.parseLong(text);
    }

    /**
     * Writes the event as one line.
     *
     * @return JSON without a line end
     */
    public String toJson() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("at", at);
        line.put("process", process);
        line.put("op", op);
        line.put("action", action.name().toLowerCase(Locale.ROOT));
        line.put("phase", phase.name().toLowerCase(Locale.ROOT));
        line.put("subject", subject);
        if (token != 0) {
            line.put("token", token);
        }
        if (!holder.isEmpty()) {
            line.put("holder", holder);
        }
        line.putAll(new TreeMap<>(more));
        return Json.write(line);
    }

    /**
     * Reads a line that {@link #toJson} wrote.
     *
     * @param line JSON
     * @return the event
     * @throws IllegalArgumentException if it is not such a line
     */
    public static Event parse(String line) {
        Map<String, @Nullable Object> map = Json.parseFlat(line);
        try {
            long at = (Long) take(map, "at");
            String process = (String) take(map, "process");
            long op = (Long) take(map, "op");
            Action action = Action.valueOf(((String) take(map, "action")).toUpperCase(Locale.ROOT));
            Phase phase = Phase.valueOf(((String) take(map, "phase")).toUpperCase(Locale.ROOT));
            String subject = (String) take(map, "subject");
            long token = map.containsKey("token") ? (Long) take(map, "token") : 0;
            String holder = map.containsKey("holder") ? (String) take(map, "holder") : "";
            Map<String, String> more = new LinkedHashMap<>();
            map.forEach((name, value) -> more.put(name, String.valueOf(value)));
            return new Event(at, process, op, action, phase, subject, token, holder, more);
        } catch (ClassCastException e) {
            throw new IllegalArgumentException("an entry has the wrong type in: " + line, e);
        }
    }

    private static Object take(Map<String, @Nullable Object> map, String name) {
        Object value = map.remove(name);
        if (value == null) {
            throw new IllegalArgumentException("an event needs \"" + name + "\", found only " + map.keySet());
        }
        return value;
    }

    @Override
    public String toString() {
        return toJson();
    }
}
