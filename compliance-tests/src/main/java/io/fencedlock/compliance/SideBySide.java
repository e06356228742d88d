package io.fencedlock.compliance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A rule that mostly waits, and touches only names of its own: where JUnit runs tests in parallel, it may run at the same time as others of
 * its kind. A rule without this mark runs alone.
 */
@Execution(ExecutionMode.CONCURRENT)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface SideBySide {}
