package io.fencedlock.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A section about a run, for a page of documentation. */
final class Markdown {
    private Markdown() {}

    static List<String> of(Plan plan, Summary summary) {
        List<String> lines = new ArrayList<>();
        lines.add("### " + summary.backend());
        lines.add("");
        lines.add("`" + command(plan) + "` on " + summary.place());
        lines.add("");
        lines.add(String.format(
                "%d grants in %d s, %d refused by the fence, %d losses told. Found: %s.",
                summary.grants(),
                summary.time().toSeconds(),
                summary.refusals(),
                summary.losses(),
                Stream.of(Finding.Kind.values())
                        .map(kind -> words(kind) + " " + summary.count(kind))
                        .collect(Collectors.joining(", "))));
        lines.add("");
        lines.add("| fault | times | recovery, median | worst | silence |");
        lines.add("|---|---|---|---|---|");
        new TreeMap<>(summary.faults())
                .forEach((name, times) ->
                        lines.add(row(name, times, summary.recoveries().get(name))));
        new TreeMap<>(summary.skipped())
                .forEach((name, reason) -> lines.add("| " + name + " | skipped: " + reason + " | | | |"));
        lines.add("");
        return lines;
    }

    private static String words(Finding.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String command(Plan plan) {
        String minutes = String.format(Locale.ROOT, "%.2f", plan.time().toMillis() / 60_000.0)
                .replaceAll("\\.?0+$", "");
        return "./fencedlock torture "
                + (plan.url().isPresent() ? "--url …" : "--on " + plan.backend())
                + (plan.faults().isEmpty() ? "" : " --faults " + String.join(",", plan.faults()))
                + " --minutes " + minutes
                + " --workers " + plan.workers()
                + " --seed " + plan.seed()
                + (plan.fencing() ? "" : " --fencing off")
                + (plan.tokens().equals("default") ? "" : " --tokens " + plan.tokens());
    }

    private static String row(String name, int times, @Nullable Recovery recovery) {
        String cells = recovery == null
                ? " | |"
                : seconds(recovery.median()) + " | " + seconds(recovery.worst()) + " | " + seconds(recovery.silence());
        return "| " + name + " | " + times + " | " + cells + " |";
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
