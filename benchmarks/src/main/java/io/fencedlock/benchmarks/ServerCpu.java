package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** How much processor time a server's process has used; known on Linux for servers that are processes of this machine. */
final class ServerCpu {

    /** The kernel counts in hundredths of a second for programs, whatever it counts in itself. */
    private static final double MICROS_PER_TICK = 10_000;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    private ServerCpu() {}

    /** Microseconds so far. */
    static Optional<Double> micros(Server server) {
        return server.pid().flatMap(pid -> read(Path.of("/proc/" + pid + "/stat")));
    }

    private static Optional<Double> read(Path stat) {
        try {
            String text = Files.readString(stat);
            // The second field is the program's name in parentheses and may hold blanks.
            String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            return Optional.of((Double.parseDouble(fields[USER_TICKS]) + Double.parseDouble(fields[SYSTEM_TICKS]))
                    * MICROS_PER_TICK);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
