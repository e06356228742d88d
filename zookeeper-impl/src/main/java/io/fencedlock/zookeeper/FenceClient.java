package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;
import org.jspecify.annotations.Nullable;

/** Where fences and guards send to: a client of their own, or the user's. Thread-safe. */
interface FenceClient extends AutoCloseable {

    CompletableFuture<Znodes> znodes(AtomicBoolean wanted);

    /** The longest wait for an answer. */
    Duration timeout();

    @Override
    void close();

    /** Opened by URL. */
    record Own(ZkClient client, ZkSettings settings) implements FenceClient {

        static Own open(ZkSettings settings) {
            return new Own(new ZkClient(settings, session -> {}, session -> {}, session -> {}), settings);
        }

        @Override
        public CompletableFuture<Znodes> znodes(AtomicBoolean wanted) {
            return client.session().thenApply(session -> new Znodes(session.handle(), settings.acl(), wanted));
        }

        @Override
        public Duration timeout() {
            return settings.commandTimeout();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** The user's Curator, which stays open. */
    record Given(CuratorFramework curator, Duration timeout) implements FenceClient {

        @Override
        public CompletableFuture<Znodes> znodes(AtomicBoolean wanted) {
            try {
                return CompletableFuture.completedFuture(
                        new Znodes(curator.getZookeeperClient().getZooKeeper(), ZooDefs.Ids.OPEN_ACL_UNSAFE, wanted));
            } catch (Exception e) {
                return CompletableFuture.failedFuture(
                        new BackendUnavailableException("the Curator client cannot be used: " + e.getMessage(), e));
            }
        }

        @Override
        public void close() {}
    }

    /** Sends and waits; what it throws has the caller's stack. */
    default <T> T await(String what, Function<Znodes, CompletableFuture<T>> request) {
        AtomicBoolean wanted = new AtomicBoolean(true);
        try {
            return znodes(wanted).thenCompose(request).get(timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw told(what, e.getCause());
        } catch (TimeoutException e) {
            throw new OutcomeUnknownException(
                    what + " was not answered within " + timeout().toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(what + " was interrupted", e);
        } finally {
            wanted.set(false);
        }
    }

    private static RuntimeException told(String what, @Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof StaleTokenException stale) {
            return new StaleTokenException(stale.resource(), stale.staleToken(), stale.acceptedToken());
        }
        if (cause instanceof Znodes.Failed failed) {
            return new IllegalStateException(
                    what + " was admitted, but its operation " + failed.index() + " failed, so nothing was changed: "
                            + failed.getMessage(),
                    failed);
        }
        FencedLockException told = ZkErrors.of(what, cause == null ? new IllegalStateException("no cause") : cause);
        String message = String.valueOf(told.getMessage());
        return told instanceof BackendUnavailableException
                ? new BackendUnavailableException(message, told)
                : new OutcomeUnknownException(message, told);
    }
}
