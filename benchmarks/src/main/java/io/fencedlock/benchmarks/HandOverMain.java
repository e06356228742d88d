package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** One waiter of {@link ProcessHandOver}: each line of its input is the time until which it takes and releases the lock. */
final class HandOverMain {

    private HandOverMain() {}

    /** Arguments: store, subject; the server is the one given in the environment. */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Store store = Store.valueOf(args[0]);
        Subject subject = Floors.andWaiters(store).stream()
                .filter(each -> each.name().equals(args[1]))
                .findFirst()
                .orElseThrow();
        try (Server server = Servers.start(store);
                Subject.Client client = subject.open(server)) {
            client.acquire("warm").release();
            say(out, "ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                take(client, Long.parseLong(line), out);
                say(out, "done");
            }
        }
        System.exit(0); // threads of a peer are not ours
    }

    private static void take(Subject.Client client, long end, PrintStream out) throws Exception {
        StringBuilder holds = new StringBuilder();
        while (System.nanoTime() < end) {
            Subject.Held held = client.acquire("handed-over");
            long granted = System.nanoTime();
            holds.append(granted).append(' ').append(System.nanoTime()).append('\n');
            held.release();
        }
        out.print(holds);
    }

    private static void say(PrintStream out, String word) {
        out.println(word);
        out.flush();
    }
}
