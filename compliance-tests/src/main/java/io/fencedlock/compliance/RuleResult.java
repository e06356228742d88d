package io.fencedlock.compliance;

import java.time.Duration;

/**
 * What became of one rule. Immutable and thread-safe.
 *
 * @param rule the rule
 * @param outcome what became of it
 * @param message why, empty for a rule that simply held
 * @param took how long its test ran
 */
public record RuleResult(SpecRule rule, Outcome outcome, String message, Duration took) {}
