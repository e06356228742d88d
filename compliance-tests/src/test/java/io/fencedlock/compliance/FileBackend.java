package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.BackendProfile;
import io.fencedlock.BackendRef;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.Liveness;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.Renewal;
import io.fencedlock.TokenSurvival;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/** Locks for the processes of one machine: a directory with one file for each held lock, and one with the last token. */
final class FileBackend implements FencedLockBackend {

    private static final Duration RECHECK = Duration.ofMillis(10);
    private static final BackendProfile PROFILE = BackendProfile.of(
                    "file", "a counter in a file, never below the clock's µs")
            .lease(Duration.ofMillis(10), Duration.ofMillis(1))
            .liveness(BackendProfile.LeaseScope.PER_LOCK, Duration.ZERO)
            .waiting(BackendProfile.QueueOrder.NONE, RECHECK)
            .tokensSurvive(
                    EnumSet.of(TokenSurvival.CLIENT_RESTART, TokenSurvival.COUNTER_LOSS, TokenSurvival.BACKEND_CHANGE))
            .disclaim("FLT-11", "leases end by the wall clock of the machine")
            .build();
    /** File locks exclude other processes, not other threads of this one. */
    private static final Object THREADS = new Object();

    private final Path directory;
    private final LongSupplier wallMillis;
    /** One thread: the requests of a client happen in their order, so no late acquire comes after its abandon. */
    private final ExecutorService io = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "fencedlock-file");
        thread.setDaemon(true);
        return thread;
    });

    FileBackend(Path directory, LongSupplier wallMillis) {
        this.directory = directory;
        this.wallMillis = wallMillis;
    }

    private record Entry(long token, HolderId holder, long until) {}

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        return atomically(() -> {
            Entry entry = read(request.name());
            if (entry != null && !entry.holder().equals(request.holder())) {
                return new Attempt.Held(RECHECK, new CompletableFuture<>()); // no news: the engine asks again
            }
            long token = entry != null ? entry.token() : nextToken(0);
            write(request.name(), token, request.holder(), request.lease());
            Grant grant = new Grant(request.name(), request.holder(), token, request.lease(), BackendRef.NONE);
            return new Attempt.Granted(grant, new Liveness.Timed(request.lease()));
        });
    }

    @Override
    public CompletionStage<Renewal> renew(Grant grant) {
        return atomically(() -> {
            Entry entry = read(grant.name());
            if (entry == null || !entry.holder().equals(grant.holder())) {
                return new Renewal.NotHeld();
            }
            write(grant.name(), grant.token(), grant.holder(), grant.leaseTime());
            return new Renewal.Renewed(grant.leaseTime());
        });
    }

    @Override
    public CompletionStage<Release> release(Grant grant) {
        return atomically(() -> {
            Entry entry = read(grant.name());
            return remove(grant.name(), entry != null && entry.holder().equals(grant.holder()));
        });
    }

    @Override
    public CompletionStage<Void> abandon(LockName name, HolderId holder) {
        return atomically(() -> {
                    Entry entry = read(name);
                    return remove(name, entry != null && entry.holder().equals(holder));
                })
                .thenAccept(removed -> {});
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return atomically(() -> {
            Entry entry = read(name);
            return remove(name, entry != null && entry.token() == token);
        });
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return atomically(() -> Optional.ofNullable(read(name))
                .map(entry -> new HolderInfo(
                        entry.holder(),
                        entry.token(),
                        Optional.empty(),
                        Optional.of(Duration.ofMillis(entry.until() - wallMillis.getAsLong())),
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty())));
    }

    @Override
    public CompletionStage<Void> raiseTokens(long floor) {
        return atomically(() -> nextToken(floor)).thenAccept(token -> {});
    }

    @Override
    public BackendProfile profile() {
        return PROFILE;
    }

    @Override
    public void close() {
        io.shutdown();
    }

    private <T> CompletionStage<T> atomically(Callable<? extends T> step) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            io.execute(() -> {
                synchronized (THREADS) {
                    try (FileChannel channel = FileChannel.open(
                                    directory.resolve("mutex"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                            FileLock lock = channel.lock()) {
                        assert lock.isValid();
                        answer.complete(step.call());
                    } catch (Exception e) {
                        answer.completeExceptionally(new OutcomeUnknownException("the directory failed", e));
                    }
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new BackendUnavailableException("the backend is closed", e));
        }
        return answer;
    }

    private long nextToken(long floor) throws IOException {
        Path counter = directory.resolve("counter");
        long last = Files.exists(counter) ? Long.parseLong(Files.readString(counter)) : 0;
        long next = Math.max(Math.max(last, floor) + 1, wallMillis.getAsLong() * 1000);
        Files.writeString(counter, Long.toString(next));
        return next;
    }

    /** A hash: any name becomes a short file name, and no two become the same. */
    private Path file(LockName name) throws Exception {
        byte[] hash = java.security.MessageDigest.getInstance("SHA-256")
                .digest(name.value().getBytes(StandardCharsets.UTF_8));
        return directory.resolve(HexFormat.of().formatHex(hash));
    }

    private Entry read(LockName name) throws Exception {
        if (!Files.exists(file(name))) {
            return null;
        }
        String[] parts = Files.readString(file(name)).split(" ");
        Entry entry = new Entry(Long.parseLong(parts[0]), new HolderId(parts[1]), Long.parseLong(parts[2]));
        return wallMillis.getAsLong() < entry.until() ? entry : null;
    }

    private void write(LockName name, long token, HolderId holder, Duration lease) throws Exception {
        long until = wallMillis.getAsLong() + lease.toMillis();
        Files.writeString(file(name), token + " " + holder + " " + until);
    }

    private Release remove(LockName name, boolean held) throws Exception {
        if (held) {
            Files.delete(file(name));
        }
        return held ? Release.RELEASED : Release.NOT_HELD;
    }
}
