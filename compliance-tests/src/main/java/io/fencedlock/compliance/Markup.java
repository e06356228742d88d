package io.fencedlock.compliance;

/** Text in XML and HTML. */
final class Markup {

    private Markup() {}

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
}
