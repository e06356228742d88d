package io.fencedlock.compliance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The suite for programs: runs the same tests as {@link FencedLockCompliance} through the JUnit Platform Launcher and gives a report.
 * Immutable; each {@link #run} is a run of its own.
 *
 * <pre>{@code
 * ComplianceReport report = new ComplianceRun(ComplianceTarget.of("redis", url), Settings.quick())
 *         .onResult(result -> System.out.println(result.rule().id() + " " + result.outcome()))
 *         .run();
 * System.exit(report.verdict().exitCode());
 * }</pre>
 */
public final class ComplianceRun {

    /** Rules that wait need no processor of their own; too many would make the machine too slow for their tolerances. */
    private static final String SIDE_BY_SIDE = "5";

    private final ComplianceTarget target;
    private final Settings settings;
    private final Predicate<String> rules;
    private final Consumer<RuleResult> onResult;
    private final UnaryOperator<String> replay;

    /**
     * A run of all rules.
     *
     * @param target closed by the run
     * @param settings how it is done
     */
    public ComplianceRun(ComplianceTarget target, Settings settings) {
        this(target, settings, rule -> true, result -> {}, settings::replay);
    }

    private ComplianceRun(
            ComplianceTarget target,
            Settings settings,
            Predicate<String> rules,
            Consumer<RuleResult> onResult,
            UnaryOperator<String> replay) {
        this.target = target;
        this.settings = settings;
        this.rules = rules;
        this.onResult = onResult;
        this.replay = replay;
    }

    /**
     * The same with some of the rules; the verdict is then {@link Verdict#PARTIAL} at best.
     *
     * @param chosen tells from an id whether the rule is run
     * @return another run
     */
    public ComplianceRun only(Predicate<String> chosen) {
        return new ComplianceRun(target, settings, chosen, onResult, replay);
    }

    /**
     * The same with progress.
     *
     * @param listener called after each rule
     * @return another run
     */
    public ComplianceRun onResult(Consumer<RuleResult> listener) {
        return new ComplianceRun(target, settings, rules, listener, replay);
    }

    /**
     * The same with the words by which a reader of the report repeats it; without, the properties that JUnit takes.
     *
     * @param command tells from a rule's id what to type
     * @return another run
     */
    public ComplianceRun replay(UnaryOperator<String> command) {
        return new ComplianceRun(target, settings, rules, onResult, command);
    }

    /**
     * Runs; blocks to the end.
     *
     * @return one result for each rule
     * @throws IllegalStateException if a test failed outside of its rule: the suite or the target's set-up is broken
     */
    public ComplianceReport run() {
        Instant began = Instant.now();
        long begin = System.nanoTime();
        String id = UUID.randomUUID().toString();
        try (Suite suite = new Suite(target, settings, onResult, replay)) {
            SuiteExtension.RUNS.put(id, suite);
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            execute(request(id), listener);
            List<RuleResult> results = suite.results();
            strayFailures(listener.getSummary(), results);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            return ComplianceReport.of(suite, results, began, took);
        } finally {
            SuiteExtension.RUNS.remove(id);
        }
    }

    /** In a thread of its own: the caller may be a test and its thread one of JUnit's workers, which take no other run's tests. */
    private static void execute(LauncherDiscoveryRequest request, TestExecutionListener listener) {
        FutureTask<Void> whole = new FutureTask<>(() -> LauncherFactory.create().execute(request, listener), null);
        Thread runner = new Thread(whole, "compliance-run");
        runner.start();
        boolean interrupted = false;
        while (true) {
            try {
                whole.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                runner.interrupt(); // the rule that waits ends; nothing of the run is left behind
            } catch (ExecutionException e) {
                throw new IllegalStateException("the suite could not be run: " + e.getCause(), e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private LauncherDiscoveryRequest request(String id) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(GivenTarget.class))
                .filters((PostDiscoveryFilter) this::chosen)
                .configurationParameter(SuiteExtension.RUN, id)
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", SIDE_BY_SIDE)
                .configurationParameter(
                        "junit.jupiter.execution.parallel.config.executor-service", "WORKER_THREAD_POOL")
                .build();
    }

    private FilterResult chosen(TestDescriptor test) {
        boolean included = test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getJavaMethod())
                .flatMap(method -> AnnotationSupport.findAnnotation(method, Rule.class))
                .map(rule -> rules.test(rule.id()))
                .orElse(true);
        return FilterResult.includedIf(included);
    }

    private static void strayFailures(TestExecutionSummary summary, List<RuleResult> results) {
        long failed =
                results.stream().filter(r -> r.outcome() == Outcome.FAILED).count();
        if (summary.getTotalFailureCount() > failed) {
            Throwable first = summary.getFailures().get(0).getException();
            throw new IllegalStateException("a test failed outside of its rule: " + first, first);
        }
    }

    /** The suite's tests for the target of a run. */
    static final class GivenTarget extends FencedLockCompliance {
        @Override
        protected ComplianceTarget target() {
            throw new IllegalStateException("only for runs started by ComplianceRun");
        }
    }
}
