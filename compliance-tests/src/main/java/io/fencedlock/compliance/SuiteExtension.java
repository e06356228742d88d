package io.fencedlock.compliance;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Gives each rule its bench, and turns what its test does into an outcome. */
final class SuiteExtension implements ParameterResolver, InvocationInterceptor, AfterAllCallback {

    /** Names the {@link Suite} of a run that a program started. */
    static final String RUN = "fencedlock.run";

    static final Map<String, Suite> RUNS = new ConcurrentHashMap<>();

    private static final Namespace NAMESPACE = Namespace.create(SuiteExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Bench.class;
    }

    @Override
    public Bench resolveParameter(ParameterContext parameter, ExtensionContext context) {
        String rule = rule(context.getRequiredTestMethod()).id();
        return context.getStore(NAMESPACE)
                .computeIfAbsent(Bench.class, type -> new Bench(suite(context), rule), Bench.class);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
        Bench bench = context.getStore(NAMESPACE).get(Bench.class, Bench.class);
        if (bench == null) {
            throw new IllegalStateException("a rule's test takes a Bench");
        }
        RuleJudge judge =
                new RuleJudge(suite(context), rule(method.getExecutable()).id());
        RuleResult result =
                judge.run(invocation, bench, AnnotationSupport.isAnnotated(method.getExecutable(), SideBySide.class));
        switch (result.outcome()) {
            case PASSED -> {}
            case FAILED -> throw new RuleBroken(result.message(), judge.cause());
            case DEVIATION, SKIPPED, NOT_RUN -> Assumptions.abort(result.outcome() + " " + result.message());
        }
    }

    private static Rule rule(Method test) {
        return AnnotationSupport.findAnnotation(test, Rule.class)
                .orElseThrow(() -> new IllegalStateException(test + " names no rule"));
    }

    private static Suite suite(ExtensionContext context) {
        Optional<Suite> run = context.getConfigurationParameter(RUN).map(RUNS::get);
        return run.orElseGet(
                () -> rootStore(context).computeIfAbsent(Suite.class, type -> fromTest(context), Suite.class));
    }

    private static Suite fromTest(ExtensionContext context) {
        FencedLockCompliance test = context.getRequiredTestInstances()
                .findInstance(FencedLockCompliance.class)
                .orElseThrow();
        Settings settings =
                Settings.from(name -> context.getConfigurationParameter(name).orElse(null));
        return new Suite(test.target(), settings, result -> {}, settings::replay);
    }

    private static ExtensionContext.Store rootStore(ExtensionContext context) {
        return topClass(context).getStore(NAMESPACE);
    }

    /** The context of the user's class, around the chapters. */
    private static ExtensionContext topClass(ExtensionContext context) {
        ExtensionContext top = context;
        for (ExtensionContext c = context;
                c.getTestClass().isPresent();
                c = c.getParent().orElseThrow()) {
            top = c;
        }
        return top;
    }

    @Override
    @SuppressWarnings("SystemOut")
    public void afterAll(ExtensionContext context) {
        Suite suite = context.getStore(NAMESPACE).get(Suite.class, Suite.class);
        if (suite != null && topClass(context) == context) {
            System.out.println(Results.summary(suite));
        }
    }
}
