package io.fencedlock.cli.replay;

import io.fencedlock.cli.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the controller tells a worker ({@code do} is the verb) or a worker reports: named values, one line of JSON on the way. Immutable. */
record Message(Map<String, @Nullable Object> fields) {
    static final String VERB = "do";
    static final String ERROR = "error";

    static Message order(String verb) {
        return new Message(Map.of()).with(VERB, verb);
    }

    static Message report() {
        return new Message(Map.of());
    }

    static Message parse(String line) {
        return new Message(Json.parse(line));
    }

    Message with(String name, Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new Message(more);
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    String text(String name) {
        return String.valueOf(required(name));
    }

    long number(String name) {
        return ((Number) required(name)).longValue();
    }

    boolean is(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    private Object required(String name) {
        Object value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name + " in " + this);
        }
        return value;
    }

    String line() {
        return Json.object(fields);
    }

    @Override
    public String toString() {
        return line();
    }
}
