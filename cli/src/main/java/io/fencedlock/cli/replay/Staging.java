package io.fencedlock.cli.replay;

import io.fencedlock.cli.TokenSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How to play, on whichever store.
 *
 * @param tokens where tokens come from
 * @param lease the lease time wished for
 * @param database the resource for workers in processes, apart from the store, if a scenario needs one
 * @param serverFaults whether a server of the user's may be harmed
 */
record Staging(TokenSource tokens, Duration lease, Optional<Supplier<Database>> database, boolean serverFaults) {}
