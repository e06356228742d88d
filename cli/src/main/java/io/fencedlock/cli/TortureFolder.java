package io.fencedlock.cli;

import io.fencedlock.torture.Plan;
import io.fencedlock.torture.Summary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The folder of the reports, by which a run is resumed. */
final class TortureFolder {
    private TortureFolder() {}

    private static Optional<Path> file(Plan plan, String kind) {
        return plan.report().map(folder -> folder.resolve(plan.backend() + kind));
    }

    /** The summary of a former run. */
    static Optional<Map<String, @Nullable Object>> known(Plan plan) {
        Optional<Path> file = file(plan, ".json").filter(Files::exists);
        try {
            return file.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Json.parse(Files.readString(file.get()).strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void keep(Plan plan, Summary summary) {
        file(plan, ".json").ifPresent(path -> write(path, Json.object(summary.fields()) + "\n"));
    }

    /** The sections of all backends, those of former runs as well, make one page. */
    static void joinPages(List<Plan> plans) {
        List<Path> sections = plans.stream()
                .flatMap(plan -> file(plan, ".md").stream())
                .filter(Files::exists)
                .toList();
        if (sections.isEmpty()) {
            return;
        }
        StringBuilder page = new StringBuilder();
        for (Path section : sections) {
            try {
                page.append(Files.readString(section));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        write(sections.get(0).resolveSibling("torture.md"), page.toString());
    }

    private static void write(Path path, String text) {
        try {
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
