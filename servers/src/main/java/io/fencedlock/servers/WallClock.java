package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The wall clock of one server process, which can be stepped while its monotonic clock goes on: a small library that is loaded before the
 * server's own asks the system and adds what stands in a file. A Go program asks the system past it.
 */
final class WallClock {
    private static final Duration COMPILING = Duration.ofSeconds(60);
    private static @Nullable Path library;

    private final Path shift;
    private Duration stepped = Duration.ZERO;

    private WallClock(Path folder) {
        shift = folder.resolve("clock");
        write();
    }

    /** The clock of the server in a folder. */
    static WallClock in(Path folder) {
        return new WallClock(folder);
    }

    /** Before a way to a server is looked for: one that cannot be had is not worth a download. */
    static void check(Store store, ServerOptions options) {
        if (!options.hasSteppableClock()) {
            return;
        }
        if (store != Store.REDIS && store != Store.ZOOKEEPER) {
            throw new ServerUnavailableException("the clock of " + store.title() + " cannot be stepped");
        }
        require();
    }

    /** @throws ServerUnavailableException if no clock can be stepped here */
    static void require() {
        try {
            library();
        } catch (NotHere e) {
            throw new ServerUnavailableException(e.reason(), e);
        }
    }

    private static synchronized Path library() throws NotHere {
        Path compiled = library;
        if (compiled == null) {
            compiled = compile();
            library = compiled;
        }
        return compiled;
    }

    private static Path compile() throws NotHere {
        Path compiler = Compiler.find();
        Path folder = Watchdog.get().newFolder("clock");
        Path source = folder.resolve("clock.c");
        Path target = folder.resolve("clock.so");
        try {
            Files.writeString(source, Shell.resource("clock.c"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Shell.Result result = Shell.run(
                COMPILING,
                compiler.toString(),
                "-shared",
                "-fPIC",
                "-nostdlib",
                "-o",
                target.toString(),
                source.toString());
        if (!result.succeeded()) {
            throw new NotHere(
                    "the clock that can be stepped was not compiled by " + compiler + " (" + result.lastLine() + ")");
        }
        return target;
    }

    /** What the server needs in its environment. */
    Map<String, String> environment() {
        try {
            return Map.of("LD_PRELOAD", library().toString(), "FENCEDLOCK_CLOCK", shift.toString());
        } catch (NotHere e) {
            throw new IllegalStateException(e.reason(), e);
        }
    }

    void step(Duration by) {
        stepped = stepped.plus(by);
        write();
    }

    /** In place: the server has the file's only page in its memory. */
    private void write() {
        ByteBuffer nanos = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        nanos.putLong(stepped.toNanos()).flip();
        try (FileChannel file = FileChannel.open(shift, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(nanos, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
