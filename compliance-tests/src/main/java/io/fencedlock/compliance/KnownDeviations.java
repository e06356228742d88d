package io.fencedlock.compliance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Failures that are known and accepted for a time, one a line: {@code TOK-6 2027-01-31 reason, with a link}. From that day on the rule fails
 * again. Empty lines and lines that begin with {@code #} are left out.
 */
public final class KnownDeviations {

    private KnownDeviations() {}

    /**
     * Reads a file.
     *
     * @param file in UTF-8
     * @return rule id to reason, without those whose day has come
     * @throws UncheckedIOException if it cannot be read
     * @throws IllegalArgumentException if a line is not written so
     */
    public static Map<String, String> read(Path file) {
        try {
            return parse(Files.readString(file), LocalDate.now(java.time.ZoneId.systemDefault()));
        } catch (IOException e) {
            throw new UncheckedIOException("the file of known deviations cannot be read: " + file, e);
        }
    }

    static Map<String, String> parse(String text, LocalDate today) {
        Map<String, String> known = new LinkedHashMap<>();
        text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .forEach(line -> {
                    String[] parts = line.split("\\s+", 3);
                    if (parts.length < 3) {
                        throw wrong(line);
                    }
                    try {
                        if (today.isBefore(LocalDate.parse(parts[1]))) {
                            known.put(parts[0], "known until " + parts[1] + ": " + parts[2]);
                        }
                    } catch (DateTimeParseException e) {
                        throw wrong(line);
                    }
                });
        return known;
    }

    private static IllegalArgumentException wrong(String line) {
        return new IllegalArgumentException(
                "a known deviation is written as \"TOK-6 2027-01-31 reason\" (rule, last day, reason), found \"" + line
                        + "\"");
    }
}
