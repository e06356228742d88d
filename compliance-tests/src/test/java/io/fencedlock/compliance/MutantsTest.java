package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** The suite finds what it is meant to find: each mutant fails the rule that is meant for it. */
class MutantsTest {

    private static final Path MATRIX = Path.of("target", "mutants.txt");
    private static final List<String> LINES = new ArrayList<>();
    private static final Set<String> PROVEN = new TreeSet<>();

    private static List<Mutant> mutants() {
        return Stream.of(
                        TokenMutants.all(),
                        LeaseMutants.all(),
                        ReleaseMutants.all(),
                        WaitingMutants.all(),
                        LossMutants.all(),
                        FenceMutants.all(),
                        ClientMutants.all(),
                        ConfigurationMutants.all(),
                        ServerMutants.all())
                .flatMap(List::stream)
                .toList();
    }

    /** In every build the rule's own chapter and the two most basic ones; in a full build all. */
    private static boolean isRun(Mutant mutant, String rule) {
        String chapter = rule.substring(0, 3);
        boolean near = mutant.rule().startsWith(chapter) || chapter.equals("TOK") || chapter.equals("EXC");
        boolean full = "full".equals(System.getProperty("fencedlock.profile"));
        return near || full;
    }

    private static ComplianceReport run(Mutant mutant) {
        Settings settings = new Settings(Settings.Profile.QUICK, 4711, 1, Map.of());
        return new ComplianceRun(new MemoryTarget(mutant.changes()), settings)
                .only(rule -> isRun(mutant, rule))
                .run();
    }

    private static Map<String, RuleResult> failed(ComplianceReport report) {
        return report.results().stream()
                .filter(result -> result.outcome() == Outcome.FAILED)
                .collect(Collectors.toMap(r -> r.rule().id(), r -> r, (a, b) -> a, LinkedHashMap::new));
    }

    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    @TestFactory
    Stream<DynamicTest> everyMutantIsKilledByItsRule() {
        return mutants().stream()
                .map(mutant -> dynamicTest(mutant.rule() + " " + mutant.name(), () -> {
                    Map<String, RuleResult> failed = failed(run(mutant));
                    RuleResult meant = failed.get(mutant.rule());
                    Set<String> others = new TreeSet<>(failed.keySet());
                    others.remove(mutant.rule());
                    LINES.add(String.format(
                            "%-8s %-7s %-70s also: %s",
                            mutant.rule(),
                            meant == null ? "ALIVE" : "killed",
                            mutant.name() + " [" + mutant.seen() + "]",
                            String.join(" ", others)));
                    assertThat(meant)
                            .as("%s lives; failed: %s", mutant.name(), others)
                            .isNotNull();
                    PROVEN.add(mutant.rule());
                    assertThat(meant.message())
                            .contains(mutant.rule() + " does not hold", "observed: ", "look at: ", "replay: ", "4711");
                }));
    }

    @AfterAll
    static void printMatrix() throws IOException {
        print(LINES, PROVEN);
    }

    private static void print(List<String> lines, Set<String> proven) throws IOException {
        String unproven = Spec.load().rules().stream()
                .map(SpecRule::id)
                .filter(id -> !proven.contains(id))
                .collect(Collectors.joining(" "));
        String text = "mutants and the rules that fail them\n" + String.join("\n", lines) + "\nproven: " + proven.size()
                + " rules; unproven, no mutant is meant for them: " + unproven + "\n";
        System.out.print(text);
        Files.writeString(MATRIX, text);
    }

    /** Else the servers of {@link ServerMutants} would prove nothing. */
    @Test
    void theServerWithoutFaultKeepsItsRules() {
        ComplianceReport report = new ComplianceRun(
                        new MemoryTarget(ServerMutants.faultless().changes()), Settings.quick())
                .only(rule -> rule.matches("TOK-[679]|FLT-(8|9|10|11|12)"))
                .run();
        assertThat(report.count(Outcome.PASSED)).as(report.results().toString()).isEqualTo(8);
    }

    @Test
    void theUnchangedReferenceFailsNothing() {
        ComplianceReport report = new ComplianceRun(ComplianceTarget.memory(), Settings.quick()).run();
        assertThat(failed(report).values().stream().map(RuleResult::message)).isEmpty();
        assertThat(report.verdict()).isEqualTo(Verdict.PASS);
        assertThat(report.count(Outcome.PASSED)).isGreaterThan(70);
    }
}
