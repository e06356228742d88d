package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;

/** Who is overtaken again and again gives up at last, and says what it was told. */
class RetryTest {

    private final ManualClock clock = new ManualClock();
    private final AtomicInteger tries = new AtomicInteger();

    /** Each try takes 300 ms, and somebody else has always been quicker. */
    private CompletableFuture<Boolean> overtaken(Retry retry) {
        tries.incrementAndGet();
        clock.advance(Duration.ofMillis(300));
        return CompletableFuture.<Boolean>failedFuture(KeeperException.create(Code.BADVERSION, "/a"))
                .exceptionallyCompose(retry.on(Code.BADVERSION, () -> overtaken(retry)));
    }

    @Test
    void overtakenAgainAndAgain_givesUpAtTheEndOfItsTime() {
        CompletableFuture<Boolean> answer = overtaken(Retry.within(clock, Duration.ofSeconds(1)));
        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withRootCauseInstanceOf(KeeperException.BadVersionException.class);
        assertThat(tries).hasValue(4);
    }
}
