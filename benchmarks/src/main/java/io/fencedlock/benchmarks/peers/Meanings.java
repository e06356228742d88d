package io.fencedlock.benchmarks.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What a failed rule means for a library's user, and where it is known: lines of {@code way rule | meaning | issues}. */
final class Meanings {

    private record Line(String meaning, String issues) {}

    private final Map<String, Line> lines = new HashMap<>();

    private Meanings() {}

    static Meanings load() {
        Meanings meanings = new Meanings();
        InputStream file = Objects.requireNonNull(Meanings.class.getResourceAsStream("meanings.txt"));
        try (BufferedReader in = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            in.lines().filter(line -> !line.isBlank()).forEach(meanings::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return meanings;
    }

    private void add(String line) {
        String[] parts = line.split("\\|", -1);
        lines.put(parts[0].strip(), new Line(parts[1].strip(), parts[2].strip()));
    }

    /** Of the way itself, else of the library's first way. */
    private Optional<Line> line(String way, String rule) {
        return Optional.ofNullable(lines.getOrDefault(way + " " + rule, lines.get(way.split("-", -1)[0] + " " + rule)));
    }

    Optional<String> of(String way, String rule) {
        return line(way, rule).map(Line::meaning);
    }

    String publicly(String way, String rule) {
        return line(way, rule).map(Line::issues).orElse("");
    }
}
