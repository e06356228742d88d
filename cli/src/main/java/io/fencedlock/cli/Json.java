package io.fencedlock.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Flat JSON objects, one a line: what the command line prints for programs, and how it talks with its workers. Values are texts, whole
 * numbers, booleans and null; numbers are exact over 64 bits.
 */
public final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    public static String object(Map<String, ?> fields) {
        StringBuilder line = new StringBuilder("{");
        fields.forEach((name, value) -> {
            line.append(line.length() > 1 ? "," : "");
            quote(name, line);
            line.append(':');
            if (value instanceof Number || value instanceof Boolean || value == null) {
                line.append(value);
            } else {
                quote(value.toString(), line);
            }
        });
        return line.append('}').toString();
    }

    private static void quote(String value, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
                to.append(String.format("\\u%04x", (int) c));
            } else {
                to.append(c);
            }
        }
        to.append('"');
    }

    /** The fields of an object, in their order. */
    public static Map<String, @Nullable Object> parse(String line) {
        Json reader = new Json(line);
        Map<String, @Nullable Object> fields = reader.fields();
        if (reader.at != line.length()) {
            throw reader.wrong();
        }
        return fields;
    }

    private Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        expect('{');
        while (peek() != '}') {
            if (!fields.isEmpty()) {
                expect(',');
            }
            String name = string();
            expect(':');
            fields.put(name, value());
        }
        expect('}');
        return fields;
    }

    private @Nullable Object value() {
        if (peek() == '"') {
            return string();
        }
        int from = at;
        while (peek() != ',' && peek() != '}') {
            at++;
        }
        String word = text.substring(from, at).strip();
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> number(word);
        };
    }

    private Long number(String word) {
        try {
            return Long.valueOf(word);
        } catch (NumberFormatException e) {
            throw wrong();
        }
    }

    private String string() {
        expect('"');
        StringBuilder value = new StringBuilder();
        while (peek() != '"') {
            char c = text.charAt(at++);
            value.append(c == '\\' ? escaped() : c);
        }
        at++;
        return value.toString();
    }

    private char escaped() {
        char c = peek();
        at++;
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'u' -> {
                at += 4;
                if (at > text.length()) {
                    throw wrong();
                }
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at);
    }

    private void expect(char c) {
        if (peek() != c) {
            throw wrong();
        }
        at++;
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not a flat JSON object at index " + at + ": " + text);
    }
}
