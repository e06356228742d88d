package io.fencedlock.compliance;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The few lines that end a run. */
final class Results {

    private Results() {}

    static Verdict verdict(List<RuleResult> results) {
        return Verdict.of(results.stream().map(RuleResult::outcome).collect(Collectors.toSet()));
    }

    static Map<Outcome, Long> counts(List<RuleResult> results) {
        Map<Outcome, Long> counts = new TreeMap<>();
        for (Outcome outcome : Outcome.values()) {
            counts.put(
                    outcome,
                    results.stream().filter(r -> r.outcome() == outcome).count());
        }
        return counts;
    }

    static String summary(Suite suite) {
        List<RuleResult> results = suite.results();
        StringBuilder text = new StringBuilder(
                "compliance of " + suite.target.name() + ": " + verdict(results).text());
        counts(results)
                .forEach((outcome, count) -> text.append(", ")
                        .append(count)
                        .append(' ')
                        .append(outcome.name().toLowerCase(Locale.ROOT)));
        text.append(" (seed ").append(suite.settings.seed()).append(')');
        results.stream()
                .filter(r -> r.outcome() != Outcome.PASSED)
                .forEach(r -> text.append("\n  ")
                        .append(r.rule().id())
                        .append(' ')
                        .append(r.outcome())
                        .append(": ")
                        .append(r.message().lines().findFirst().orElse("")));
        return text.toString();
    }
}
