package io.fencedlock.compliance;

import java.util.ArrayDeque;
import java.util.Deque;

/** HTML as it is written: whatever is put in is escaped, whatever was opened is closed by its right name. */
final class Markup {
    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Attributes are names and values in turn. */
    Markup open(String tag, String... attributes) {
        start(tag, attributes);
        open.push(tag);
        return this;
    }

    Markup close() {
        out.append("</").append(open.pop()).append(">\n");
        return this;
    }

    Markup text(String text) {
        out.append(escape(text));
        return this;
    }

    Markup element(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    /** An element that has no end, such as {@code meta}. */
    Markup endless(String tag, String... attributes) {
        start(tag, attributes);
        return this;
    }

    /** What is known to be markup, such as a style sheet of this jar. */
    Markup raw(String markup) {
        out.append(markup);
        return this;
    }

    private void start(String tag, String... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escape(attributes[i + 1]))
                    .append('"');
        }
        out.append('>');
    }

    static String escape(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> out.append(isAllowed(c) ? Character.toString(c) : "\uFFFD");
            }
        });
        return out.toString();
    }

    /** What XML 1.0 allows. */
    private static boolean isAllowed(int c) {
        return c == '\n' || c == '\t' || (c >= ' ' && c < 0xD800) || (c > 0xDFFF && c != 0xFFFE && c != 0xFFFF);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
