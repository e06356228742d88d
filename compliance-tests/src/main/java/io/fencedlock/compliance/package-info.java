/**
 * The compliance suite: the rules of SPEC.md as tests that anybody can run against a backend or a lock library.
 *
 * <p>From JUnit, extend {@link io.fencedlock.compliance.FencedLockCompliance}; from a program, use {@link
 * io.fencedlock.compliance.ComplianceRun}. Either needs a {@link io.fencedlock.compliance.ComplianceTarget}: where clients come from and,
 * optionally, {@link io.fencedlock.compliance.Controls}, the hooks to break things with. Nobody overrides a test: the suite asks the target's
 * profile for its limits.
 */
@NullMarked
package io.fencedlock.compliance;

import org.jspecify.annotations.NullMarked;
