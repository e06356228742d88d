package io.fencedlock.compliance;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;

/** Runs one rule's test and says what became of the rule. */
final class RuleJudge {

    private final Suite suite;
    private final SpecRule rule;
    private @Nullable Throwable cause;

    RuleJudge(Suite suite, String rule) {
        this.suite = suite;
        this.rule = suite.spec.rule(rule);
    }

    @Nullable
    Throwable cause() {
        return cause;
    }

    /** Runs it when it is its turn. */
    RuleResult run(Invocation<@Nullable Void> test, Bench bench, boolean sideBySide) {
        Lock turn = suite.turn(sideBySide);
        turn.lock();
        try {
            long begin = System.nanoTime();
            cause = thrownBy(test, bench);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            RuleResult result = judged(cause, took);
            suite.record(result);
            return result;
        } finally {
            turn.unlock();
        }
    }

    private static @Nullable Throwable thrownBy(Invocation<@Nullable Void> test, Bench bench) {
        Throwable thrown = null;
        try {
            test.proceed();
        } catch (Throwable t) {
            thrown = t;
        }
        try {
            bench.close();
        } catch (Throwable t) {
            return thrown == null ? t : thrown;
        }
        return thrown;
    }

    private RuleResult judged(@Nullable Throwable thrown, Duration took) {
        Optional<String> excuse = excuse();
        if (thrown == null) {
            String note =
                    excuse.map(e -> "it holds, although it is disclaimed: " + e).orElse("");
            return new RuleResult(rule, Outcome.PASSED, note, took);
        }
        String observed = observed(thrown);
        if (thrown instanceof ControlMissing) {
            return new RuleResult(rule, Outcome.NOT_RUN, observed, took);
        }
        boolean missing = thrown instanceof UnsupportedOperationException
                && !suite.profile().disclaims().containsKey(rule.id());
        if (thrown instanceof NotApplicable || missing) {
            return new RuleResult(rule, Outcome.SKIPPED, observed, took);
        }
        return excuse.map(e -> new RuleResult(rule, Outcome.DEVIATION, e + " (observed: " + observed + ")", took))
                .orElseGet(() -> new RuleResult(rule, Outcome.FAILED, failure(observed), took));
    }

    private Optional<String> excuse() {
        String disclaimed = suite.profile().disclaims().get(rule.id());
        if (disclaimed != null) {
            return Optional.of("the profile disclaims it: " + disclaimed);
        }
        String known = suite.settings.known().get(rule.id());
        if (known != null) {
            return Optional.of(known);
        }
        return rule.level().equals("MUST") ? Optional.empty() : Optional.of("it is recommended, not required");
    }

    private static String observed(Throwable thrown) {
        boolean own =
                thrown instanceof RuleBroken || thrown instanceof ControlMissing || thrown instanceof NotApplicable;
        String message = String.valueOf(thrown.getMessage());
        if (thrown instanceof UnsupportedOperationException) {
            return "the target does not support it" + (thrown.getMessage() == null ? "" : ": " + message);
        }
        return own ? message : "unexpected " + thrown.getClass().getSimpleName() + ": " + message;
    }

    private String failure(String observed) {
        return rule.id() + " does not hold for " + suite.target.name() + ": " + rule.text() + "\n  observed: "
                + observed + "\n  look at: " + rule.look() + "\n  replay: " + suite.replay(rule.id());
    }
}
