package io.fencedlock.torture;

import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.Law;
import io.fencedlock.compliance.history.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Keeps the score of a run. Used by one thread. */
final class Scores {
    private static final Set<Law> BY_TOKENS = Set.of(Law.UNIQUE_TOKENS, Law.TOKEN_ORDER, Law.FALSE_REFUSAL);

    private final Progress progress;
    private final long begun = System.nanoTime();
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Recovery> recoveries = new TreeMap<>();
    private final Map<String, Integer> faults = new TreeMap<>();

    Scores(Progress progress) {
        this.progress = progress;
    }

    void add(Finding finding) {
        findings.add(finding);
        progress.found(finding);
    }

    void hang(String phase, String sentence) {
        add(new Finding(Finding.Kind.HANG, phase, sentence, List.of()));
    }

    void complaint(String phase, String sentence) {
        add(new Finding(Finding.Kind.OTHER, phase, sentence, List.of()));
    }

    void leftover(String sentence, List<Event> proof) {
        add(new Finding(Finding.Kind.LEFTOVER, "the end", sentence, proof));
    }

    /** @param declared whether the profile says that tokens do not survive what was done in the phase */
    void violations(String phase, List<Violation> violations, boolean declared) {
        for (Violation violation : violations) {
            Finding.Kind kind =
                    declared && BY_TOKENS.contains(violation.law()) ? Finding.Kind.DECLARED : Finding.kind(violation);
            String explanation = violation.law() + " (" + violation.law().rule() + "), " + violation.explanation();
            add(new Finding(kind, phase, explanation, violation.proof()));
        }
    }

    void fault(Nemesis nemesis) {
        faults.merge(nemesis.name(), 1, Integer::sum);
    }

    void recovered(Nemesis nemesis, Duration time, Duration silence) {
        recoveries.compute(
                nemesis.name(),
                (name, known) -> known == null ? new Recovery(List.of(time), silence) : known.and(time, silence));
    }

    Progress.Counts counts(Chronicle chronicle) {
        return new Progress.Counts(
                Duration.ofNanos(System.nanoTime() - begun),
                chronicle.grants(),
                chronicle.refusals(),
                chronicle.losses(),
                faults.values().stream().mapToInt(n -> n).sum(),
                findings.stream()
                        .filter(finding -> finding.kind() != Finding.Kind.DECLARED)
                        .count());
    }

    Summary summary(Plan plan, String place, Progress.Counts counts, Map<String, String> skipped) {
        return new Summary(
                plan.backend(),
                place,
                plan.seed(),
                counts.time(),
                counts.grants(),
                counts.refusals(),
                counts.losses(),
                faults,
                recoveries,
                skipped,
                findings);
    }
}
