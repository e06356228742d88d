package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Starts processes that cannot outlive this JVM. */
final class Child {
    private Child() {}

    /**
     * Starts a program under the watchdog. The process first waits for our word, so that there is no moment in which it runs and the
     * watchdog does not know of it. Its standard input stays open.
     */
    static Process start(List<String> program, Consumer<ProcessBuilder> setUp) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", Shell.resource("child.sh"), "fencedlock-child"));
        command.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(command);
        setUp.accept(builder);
        Watchdog watchdog = Watchdog.get();
        try {
            Process process = builder.start();
            watchdog.watch(process.pid());
            var unused = process.onExit().thenRunAsync(() -> watchdog.forget(process.pid()));
            process.getOutputStream().write("go\n".getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + program.get(0), e);
        }
    }
}
