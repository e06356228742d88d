package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLockException;
import io.fencedlock.FencedRegister;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Fenced values in znodes: each write is conditional on the version that was read with the mark. */
final class ZooKeeperRegister implements FencedRegister {

    /** A little less than a request to ZooKeeper may have. */
    private static final int LARGEST_VALUE = 1_000_000;

    private final ZkSettings settings;
    private final ZkPaths paths;
    private final ZkClient client;

    ZooKeeperRegister(ZkSettings settings) {
        this.settings = settings;
        paths = settings.paths();
        client = new ZkClient(settings, session -> {}, session -> {}, session -> {});
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        checkSize(value);
        change(resource, cell -> new Cell(Optional.of(admitted(resource, cell, mark)), Optional.of(value)));
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        checkSize(value);
        change(resource, cell -> new Cell(cell.mark(), Optional.of(value)));
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        change(resource, cell -> new Cell(Optional.of(admitted(resource, cell, mark)), cell.value()));
    }

    /** The server would cut the connection. */
    private static void checkSize(String value) {
        int size = value.getBytes(StandardCharsets.UTF_8).length;
        if (size > LARGEST_VALUE) {
            throw new IllegalArgumentException(
                    "a znode takes values of at most " + LARGEST_VALUE + " bytes, found " + size);
        }
    }

    private static FenceMark admitted(String resource, Cell cell, FenceMark shown) {
        cell.mark().filter(mark -> !mark.admits(shown)).ifPresent(mark -> {
            throw new StaleTokenException(resource, shown.token(), mark.token());
        });
        return shown;
    }

    @Override
    public Optional<String> read(String resource) {
        return cell(resource).value();
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return cell(resource).mark();
    }

    private Cell cell(String resource) {
        String path = path(resource);
        return await(
                "read of " + resource,
                session -> session.sync(path)
                        .thenCompose(synced -> session.read(path))
                        .thenApply(found -> Cell.parse(found.text()))
                        .exceptionallyCompose(ZkErrors.answer(Code.NONODE, Cell.EMPTY)));
    }

    @Override
    public void remove(String resource) {
        String path = path(resource);
        await(
                "removal of " + resource,
                session -> session.delete(path)
                        .thenApply(deleted -> true)
                        .exceptionallyCompose(ZkErrors.answer(Code.NONODE, true)));
    }

    private String path(String resource) {
        return paths.register(new LockName(resource).value());
    }

    private void change(String resource, UnaryOperator<Cell> change) {
        String path = path(resource);
        Retry retry = settings.retry();
        await("write to " + resource, session -> change(session, path, change, retry));
    }

    /** Reads and writes on condition; repeated in time by whoever was overtaken, so that somebody always gets on. */
    private static CompletableFuture<Boolean> change(
            ZkSession session, String path, UnaryOperator<Cell> change, Retry retry) {
        return session.read(path)
                .thenCompose(found -> session.set(
                        path,
                        change.apply(Cell.parse(found.text())).bytes(),
                        found.stat().getVersion()))
                .thenApply(stat -> true)
                .exceptionallyCompose(retry.on(Code.BADVERSION, () -> change(session, path, change, retry)))
                .exceptionallyCompose(retry.on(Code.NONODE, () -> begin(session, path, change, retry)));
    }

    private static CompletableFuture<Boolean> begin(
            ZkSession session, String path, UnaryOperator<Cell> change, Retry retry) {
        byte[] first = change.apply(Cell.EMPTY).bytes();
        return Parents.create(session, path, first, CreateMode.PERSISTENT, retry)
                .thenApply(created -> true)
                .exceptionallyCompose(retry.on(Code.NODEEXISTS, () -> change(session, path, change, retry)));
    }

    private <T> T await(String what, Function<ZkSession, CompletableFuture<T>> request) {
        try {
            return client.session()
                    .thenCompose(request)
                    .get(settings.commandTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw told(what, e.getCause());
        } catch (TimeoutException e) {
            throw new OutcomeUnknownException(
                    what + " was not answered within "
                            + settings.commandTimeout().toMillis() + " ms",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException(what + " was interrupted", e);
        }
    }

    /** With the caller's stack trace. */
    private static FencedLockException told(String what, @Nullable Throwable cause) {
        if (cause instanceof StaleTokenException stale) {
            return new StaleTokenException(stale.resource(), stale.staleToken(), stale.acceptedToken());
        }
        FencedLockException told = ZkErrors.of(what, cause == null ? new IllegalStateException("no cause") : cause);
        String message = String.valueOf(told.getMessage());
        return told instanceof BackendUnavailableException
                ? new BackendUnavailableException(message, told)
                : new OutcomeUnknownException(message, told);
    }

    @Override
    public void close() {
        client.close();
    }
}
