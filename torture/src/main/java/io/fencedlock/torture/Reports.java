package io.fencedlock.torture;

import io.fencedlock.compliance.history.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Files about a run, if they are wanted: {@code backend.txt}, {@code backend.md}, and the history of each phase that breaks a law. */
final class Reports {
    private final Plan plan;
    private final String backend;
    private final Optional<Path> folder;

    Reports(Plan plan) {
        this.plan = plan;
        backend = plan.backend().replaceAll("[^A-Za-z0-9.-]", "_");
        folder = plan.report();
    }

    void history(String phase, List<Event> events) {
        String number = phase.replaceAll("[^0-9]*([0-9]+).*", "$1");
        write(
                backend + "-phase-" + number + ".jsonl",
                events.stream().map(Event::toJson).toList());
    }

    void end(Summary summary) {
        List<String> lines = new ArrayList<>(summary.lines());
        summary.findings().forEach(finding -> lines.add("\n" + finding));
        write(backend + ".txt", lines);
        write(backend + ".md", Markdown.of(plan, summary));
    }

    private void write(String name, List<String> lines) {
        if (folder.isEmpty()) {
            return;
        }
        try {
            Files.createDirectories(folder.get());
            Files.write(folder.get().resolve(name), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("the report cannot be written to " + folder.get(), e);
        }
    }
}
