package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedLocksBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A worker's process: orders come on standard input, one JSON object a line, and for each a report goes to standard output. The first line
 * says where to work ({@code url} and options); it may hold a password, so it is no argument. Ends with its input.
 */
final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream reports = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        String first = orders.readLine();
        if (first == null) {
            return;
        }
        FencedLocksBuilder builder = FencedLocks.configure();
        Message.parse(first).fields().forEach((name, value) -> {
            if (name.equals("url")) {
                builder.url(String.valueOf(value));
            } else {
                builder.option(name, String.valueOf(value));
            }
        });
        try (Hands hands = new Hands(builder.connect(), builder.openRegister())) {
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                reports.println(hands.perform(Message.parse(line)).line());
            }
        }
        System.exit(0);
    }
}
