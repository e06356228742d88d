package io.fencedlock.cli;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Fence;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedLocksBuilder;
import io.fencedlock.MemoryFence;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The backend that a command works on. */
public final class Target {
    /** A JVM that has just started is slow: its first connection may take longer than one request is given. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private static final long PAUSE_MILLIS = 200;

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description =
                    "The backend, for example redis://127.0.0.1:6379, zookeeper://h1:2181,h2:2181 or etcd://127.0.0.1:2379.")
    private String url = "";

    FencedLocks open(@Nullable Duration lease) {
        FencedLocksBuilder builder = FencedLocks.configure().url(url).environment(System.getenv());
        if (lease != null) {
            builder.option("lease", lease.toMillis() + "ms");
        }
        FencedLocks locks = builder.connect();
        if (locks.profile().backend().equals("memory")) {
            locks.close();
            throw ofOneProcess();
        }
        return locks;
    }

    /** Opens the store's fences; a first request is answered. */
    Fence reachFence() throws InterruptedException {
        Fence fence =
                FencedLocks.configure().url(url).environment(System.getenv()).openFence();
        if (fence instanceof MemoryFence) {
            throw ofOneProcess();
        }
        try {
            patiently(() -> fence.mark("fencedlock"));
            return fence;
        } catch (RuntimeException | InterruptedException e) {
            fence.close();
            throw e;
        }
    }

    private static CommandFailure ofOneProcess() {
        return CommandFailure.wrongInput(
                "memory: is a store inside one process; there is nothing to share or to look at");
    }

    /** A request to the backend. */
    public interface Request<T> {
        T send() throws InterruptedException;
    }

    /** Sends a request, and again while the backend is not reached within the first seconds. */
    public static <T> T patiently(Request<T> request) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                return request.send();
            } catch (BackendUnavailableException e) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }
}
