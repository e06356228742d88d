package io.fencedlock.compliance;

import java.util.Collection;

/** Tables in Markdown. */
final class Markdown {

    private Markdown() {}

    static String row(String first, Collection<String> cells) {
        StringBuilder row = new StringBuilder("| ").append(first).append(" |");
        cells.forEach(cell -> row.append(' ').append(cell.replace("|", "\\|")).append(" |"));
        return row.append('\n').toString();
    }

    /** The line below the head of a table. */
    static String rule(int columns) {
        return "|---".repeat(columns) + "|\n";
    }
}
