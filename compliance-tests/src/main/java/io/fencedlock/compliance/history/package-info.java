/**
 * Histories of what workers did with locks and what a resource accepted, and a checker that decides whether a correct lock can have
 * produced them. No test framework in it: workers in other processes write histories as JSON lines, see {@link
 * io.fencedlock.compliance.history.Recorder} and {@link io.fencedlock.compliance.history.HistoryChecker}.
 */
@NullMarked
package io.fencedlock.compliance.history;

import org.jspecify.annotations.NullMarked;
