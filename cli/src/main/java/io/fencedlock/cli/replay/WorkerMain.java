package io.fencedlock.cli.replay;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedLocksBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A worker's process: orders come on standard input, one JSON object a line, and for each a report goes to standard output. The first line
 * says where to work ({@code url}, {@code lease} and more); it may hold a password, so it is no argument. Ends with its input.
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
        try (Hands hands = new Hands(tools(Message.parse(first)))) {
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                reports.println(hands.perform(Message.parse(line)).line());
            }
        }
        System.exit(0);
    }

    private static Tools tools(Message place) {
        String url = place.text("url");
        Duration lease = Duration.ofMillis(place.number("leaseMs"));
        FencedLocksBuilder builder = FencedLocks.configure().url(url).option("lease", lease.toMillis() + "ms");
        if (place.has("tokens")) {
            builder.option("tokens", place.text("tokens"));
        }
        Optional<DataSource> database = place.has("database")
                ? Optional.of(Database.source(place.text("database"), place.text("databasePassword")))
                : Optional.empty();
        return new Tools(
                builder.connect(),
                builder::openRegister,
                () -> ArticleLock.at(Location.of(url).orElseThrow(), lease),
                database);
    }
}
