package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run found. Immutable and thread-safe.
 *
 * @param target the target's name
 * @param profile what the target promises
 * @param settings how the run was done
 * @param began when it began
 * @param took how long it took
 * @param environment suite, Java and system versions, what to type to run a rule again, and what the caller adds, such as the server's version
 * @param results one for each rule of SPEC.md, in its order
 */
public record ComplianceReport(
        String target,
        BackendProfile profile,
        Settings settings,
        Instant began,
        Duration took,
        Map<String, String> environment,
        List<RuleResult> results) {

    /** The entry of the environment with what an operation asks of the server. */
    static final String ROUND_TRIPS = "round trips";

    /** The entry of the environment that says how to run a rule again. */
    static final String AGAIN = "again";

    /** Copies the collections. */
    public ComplianceReport {
        environment = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        results = List.copyOf(results);
    }

    static ComplianceReport of(Suite suite, List<RuleResult> results, Instant began, Duration took) {
        Map<String, String> environment = new LinkedHashMap<>();
        String version = ComplianceReport.class.getPackage().getImplementationVersion();
        environment.put("suite", version == null ? "development" : version);
        environment.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        environment.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        environment.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        RoundTrips.measure(suite).ifPresent(trips -> environment.put(ROUND_TRIPS, trips.toString()));
        environment.put(AGAIN, suite.replay("…"));
        return new ComplianceReport(
                suite.target.name(), suite.profile(), suite.settings, began, took, environment, results);
    }

    /**
     * The same with an entry about its environment.
     *
     * @param name what: {@code server}
     * @param value the value
     * @return another report
     */
    public ComplianceReport with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(environment);
        more.put(name, value);
        return new ComplianceReport(target, profile, settings, began, took, more, results);
    }

    /**
     * The verdict.
     *
     * @return made from the outcomes
     */
    public Verdict verdict() {
        return Results.verdict(results);
    }

    /**
     * How many rules had an outcome.
     *
     * @param outcome the outcome
     * @return the number
     */
    public long count(Outcome outcome) {
        return Results.counts(results).getOrDefault(outcome, 0L);
    }
}
