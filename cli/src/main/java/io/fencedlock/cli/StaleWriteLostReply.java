package io.fencedlock.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The store grants the lock and its reply is lost: asking again has to yield the same grant and not a newer token. */
final class StaleWriteLostReply implements Scenario {
    private static final long LIMIT_SECONDS = 30;

    @Override
    public String name() {
        return "stale-write-lost-reply";
    }

    @Override
    public String summary() {
        return "the reply to a holder's acquire is lost, asking again yields the same token; then it pauses and writes late";
    }

    @Override
    public Needs needs() {
        return Needs.CUT;
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        stage.c().acquires(); // what a name's first use may have to create is there
        stage.c().releases();
        CompletableFuture<Void> lost = stage.faults().loseReplyToA(stage.subject());
        a.asks();
        await(lost);
        stage.happens("network", "lost", "worker-A's request is passed on, the reply to it is lost");
        long stored = stage.c().seesHolder();
        stage.happens("network", "cut", "worker-A's connection breaks");
        stage.faults().breakConnectionsOfA();
        a.acquired();
        a.checks();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        b.writes();
        b.releases();
        Verdict ending = StaleEnding.of(stage, a.continuesAndWrites());
        return new Verdict(
                ending.fields(),
                ending.asExpected() && stored == a.token(),
                (stored == a.token()
                                ? "asking again yielded the same grant; "
                                : "asking again was a SECOND acquisition; ")
                        + ending.sentence());
    }

    private static void await(CompletableFuture<Void> lost) {
        try {
            lost.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for worker-A's request", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("worker-A sent no request for the lock", e);
        }
    }
}
