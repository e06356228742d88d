package io.fencedlock.zookeeper;

import io.fencedlock.LockClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Until when a request that others overtook is made again: whoever asked has given up by then. Immutable.
 *
 * @param clock tells the time
 * @param until its reading at the end
 */
record Retry(LockClock clock, long until) {

    static Retry within(LockClock clock, Duration limit) {
        return new Retry(clock, clock.nanos() + limit.toNanos());
    }

    /** For an error that says what to do next; once the time is over it is the answer. */
    <T> Function<Throwable, CompletionStage<T>> on(Code code, ZkErrors.Next<T> next) {
        return failure -> ZkErrors.is(failure, code) && clock.nanos() - until < 0
                ? next.step()
                : CompletableFuture.failedFuture(failure);
    }
}
