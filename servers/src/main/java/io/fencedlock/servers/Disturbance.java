package io.fencedlock.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A change to this machine that makes servers suffer, until it is closed. It is undone by the end of this JVM at the latest, however that ends.
 * Thread-safe.
 */
public final class Disturbance implements AutoCloseable {
    private static final long UNDO_SECONDS = 20;

    private final Process keeper;

    private Disturbance(Process keeper) {
        this.keeper = keeper;
    }

    /**
     * Changes something.
     *
     * @param script a shell script beside this class: does it, says "ok", and undoes it when its input ends
     * @param arguments of the script
     * @throws IllegalStateException if it fails; the message has what the script said
     */
    static Disturbance begin(String script, List<String> arguments) {
        return begin(script, arguments, Map.of());
    }

    /** The same for a script that needs something in its environment. */
    static Disturbance begin(String script, List<String> arguments, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", Shell.resource(script), script));
        command.addAll(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process keeper = builder.start();
            BufferedReader said = keeper.inputReader(StandardCharsets.UTF_8);
            StringBuilder words = new StringBuilder();
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                if (line.equals("ok")) {
                    return new Disturbance(keeper);
                }
                words.append(line).append(' ');
            }
            throw new IllegalStateException(words.toString().strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Undoes it; returns when it is undone. Never throws; does nothing the second time. */
    @Override
    public void close() {
        try {
            keeper.getOutputStream().close();
            if (!keeper.waitFor(UNDO_SECONDS, TimeUnit.SECONDS)) {
                Servers.say("a disturbance of servers is not undone within " + UNDO_SECONDS + " s");
            }
        } catch (IOException e) {
            Servers.say("a disturbance of servers cannot be undone: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
