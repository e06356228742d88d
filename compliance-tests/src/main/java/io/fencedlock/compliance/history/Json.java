package io.fencedlock.compliance.history;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The little of JSON that histories and reports need: writes any nesting of maps, lists, text, numbers and booleans; reads flat objects. */
public final class Json {

    private Json() {}

    /**
     * Writes a value on one line.
     *
     * @param value a map with text keys, an iterable, text, a number, a boolean or null; anything else is written as its text
     * @return JSON
     */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Map<?, ?> map) {
            writeObject(map, out);
        } else if (value instanceof Iterable<?> items) {
            writeArray(items.iterator(), out);
        } else {
            writeText(value.toString(), out);
        }
    }

    private static void writeObject(Map<?, ?> map, StringBuilder out) {
        out.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            writeText(String.valueOf(entry.getKey()), out);
            out.append(':');
            write(entry.getValue(), out);
            separator = ",";
        }
        out.append('}');
    }

    private static void writeArray(Iterator<?> items, StringBuilder out) {
        out.append('[');
        while (items.hasNext()) {
            write(items.next(), out);
            out.append(items.hasNext() ? "," : "");
        }
        out.append(']');
    }

    private static void writeText(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c < ' ' || Character.isSurrogate(c) ? escaped(c) : String.valueOf(c));
            }
        }
        out.append('"');
    }

    private static String escaped(char c) {
        return String.format("\\u%04x", (int) c);
    }

    /**
     * Reads one object whose values are text, whole numbers, booleans or null.
     *
     * @param line JSON
     * @return its entries in their order; numbers are {@link Long}
     * @throws IllegalArgumentException if it is something else; the message says where
     */
    public static Map<String, @Nullable Object> parseFlat(String line) {
        return new Reader(line).object();
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        Map<String, @Nullable Object> object() {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            expect('{');
            if (peek() != '}') {
                do {
                    String key = string();
                    expect(':');
                    map.put(key, value());
                } while (skip(','));
            }
            expect('}');
            if (peek() != 0) {
                throw wrong("the end");
            }
            return map;
        }

        private @Nullable Object value() {
            char c = peek();
            if (c == '"') {
                return string();
            }
            int start = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '-')) {
                at++;
            }
            String word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> number(word, start);
            };
        }

        private Long number(String word, int start) {
            try {
                return Long.valueOf(word);
            } catch (NumberFormatException e) {
                at = start;
                throw wrong("text, a whole number, true, false or null");
            }
        }

        private String string() {
            expect('"');
            StringBuilder out = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '"') {
                char c = text.charAt(at++);
                out.append(c == '\\' ? unescape() : c);
            }
            expect('"');
            return out.toString();
        }

        private char unescape() {
            if (at >= text.length()) {
                throw wrong("an escape");
            }
            char c = text.charAt(at++);
            return switch (c) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'u' -> {
                    if (at + 4 > text.length()) {
                        throw wrong("four hexadecimal digits");
                    }
                    at += 4;
                    yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
                }
                default -> c;
            };
        }

        private char peek() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean skip(char c) {
            boolean there = peek() == c;
            at += there ? 1 : 0;
            return there;
        }

        private void expect(char c) {
            if (!skip(c)) {
                throw wrong("'" + c + "'");
            }
        }

        private IllegalArgumentException wrong(String expected) {
            return new IllegalArgumentException("expected " + expected + " at index " + at + " of: " + text);
        }
    }
}
