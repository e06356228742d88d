package io.fencedlock.benchmarks.peers;

import io.fencedlock.compliance.Outcome;
import io.fencedlock.compliance.RuleResult;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes docs/peers.md. */
final class PeersReport {

    private static final String HEAD = """
            # Other lock libraries under the compliance suite

            The suite (SPEC.md) asks any lock for the same rules. Here it was run, quick profile, on three lock libraries for Java on real servers, each
            behind an adapter that presents it as `FencedLocks` (`benchmarks/src/main/java/io/fencedlock/benchmarks/peers`). The adapters add no check, no
            retry and no fault: they call the library as its documentation says. This page is generated:

                benchmarks/peers --write docs/peers.md

            - The libraries promise other things than this suite asks, and none promises an ordered token over all faults. A failed rule is a statement
              about this rule, this version and this use, not about the library's quality.
            - A rule that failed was run again on a new server; it stands in a table only if it failed both times.
            - What a library does not have (a notice of a loss, a lease time for each lock) is skipped, not failed. No library has a fence: FLT-1 and FEN-7
              try the library's token at the fence that we ship.
            - "Seen" is what the suite printed; "public" names issues of the projects (`project#number`), where we know one.

            """;

    private static final Meanings MEANINGS = Meanings.load();

    private PeersReport() {}

    static String markdown(List<Finding> findings) {
        StringBuilder text = new StringBuilder(HEAD);
        text.append(machine()).append("\n\n");
        String library = "";
        for (Finding finding : findings) {
            if (!finding.way().library().equals(library)) {
                library = finding.way().library();
                text.append("## ").append(library).append("\n\n");
                text.append(finding.way().peer().versions())
                        .append("; server: ")
                        .append(finding.server())
                        .append(".\n\n");
            }
            text.append(section(finding));
        }
        return text.toString();
    }

    private static String machine() {
        return "Run on " + LocalDate.now(ZoneOffset.UTC) + ", " + System.getProperty("java.vm.name") + " "
                + System.getProperty("java.version") + ", " + System.getProperty("os.name") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors.";
    }

    private static String section(Finding finding) {
        List<RuleResult> failed = finding.failed();
        StringBuilder text = new StringBuilder("### Use `" + finding.way().id() + "`\n\n");
        text.append(finding.way().words()).append("\n\n");
        text.append("Held: ")
                .append(finding.results(Outcome.PASSED).size()
                        + finding.passing().size())
                .append(", failed: ")
                .append(failed.size())
                .append(", skipped: ")
                .append(finding.results(Outcome.SKIPPED).size())
                .append(".\n\n");
        if (!failed.isEmpty()) {
            text.append("| rule | has to hold | seen | for a user | public |\n| --- | --- | --- | --- | --- |\n");
            failed.forEach(result -> text.append(row(finding.way(), result)));
            text.append('\n');
        }
        if (!finding.passing().isEmpty()) {
            text.append("Failed once and held when run again: ")
                    .append(finding.passing().stream().sorted().collect(Collectors.joining(", ")))
                    .append(".\n\n");
        }
        text.append(reasons(finding));
        return text.toString();
    }

    private static String row(Way way, RuleResult result) {
        String rule = result.rule().id();
        return "| " + rule + " | " + cell(result.rule().text()) + " | " + cell(Finding.observed(result)) + " | "
                + cell(MEANINGS.of(way.id(), rule).orElse(result.rule().intent())) + " | "
                + MEANINGS.publicly(way.id(), rule) + " |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ").replaceAll("suite-[0-9a-z]+-[0-9a-z]+-", "…");
    }

    /** Why rules were not run, with their ids. */
    private static String reasons(Finding finding) {
        Map<String, String> byReason = new TreeMap<>();
        for (Outcome outcome : List.of(Outcome.SKIPPED, Outcome.NOT_RUN)) {
            for (RuleResult result : finding.results(outcome)) {
                if (!result.message().startsWith("its test was left out")) {
                    byReason.merge(cell(result.message()), result.rule().id(), (a, b) -> a + ", " + b);
                }
            }
        }
        if (byReason.isEmpty()) {
            return "";
        }
        return byReason.entrySet().stream()
                .map(entry -> "- " + entry.getValue() + ": " + entry.getKey() + "\n")
                .collect(Collectors.joining("", "Not judged:\n\n", "\n"));
    }
}
