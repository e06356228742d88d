package io.fencedlock.cli.replay;

import java.util.ArrayDeque;
import java.util.Deque;

/** HTML and SVG as it is written: whatever is put in is escaped, whatever was opened is closed by its right name. */
final class Markup {
    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Attributes are names and values in turn. */
    Markup open(String tag, String... attributes) {
        start(tag, attributes);
        out.append('>');
        open.push(tag);
        return this;
    }

    Markup close() {
        out.append("</").append(open.pop()).append(">\n");
        return this;
    }

    Markup text(String text) {
        escape(text);
        return this;
    }

    Markup element(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    /** An element without content, which both HTML and SVG may close like this. */
    Markup leaf(String tag, String... attributes) {
        start(tag, attributes);
        out.append("/>\n");
        return this;
    }

    /** What is known to be markup: a style sheet of this jar, a picture made by this class. */
    Markup raw(String markup) {
        out.append(markup);
        return this;
    }

    private void start(String tag, String... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            out.append('"');
        }
    }

    private void escape(String text) {
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> out.appendCodePoint(isText(c) ? c : 0xFFFD);
            }
        });
    }

    private static boolean isText(int c) {
        return c == '\n' || c == '\t' || (c >= ' ' && c < 0x7F) || (c > 0x9F && !(c >= 0xD800 && c <= 0xDFFF));
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
