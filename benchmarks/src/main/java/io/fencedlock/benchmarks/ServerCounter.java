package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How many requests the <em>server</em> has counted: commands, packets, or messages of gRPC. */
final class ServerCounter {

    private static final Pattern REDIS = Pattern.compile("cmdstat_([a-z|]+):calls=(\\d+)");
    private static final Pattern ZOOKEEPER = Pattern.compile("zk_packets_received\\s+(\\d+)");
    private static final Pattern ETCD = Pattern.compile("(?m)^grpc_server_msg_received_total\\{[^}]*} (\\S+)");

    /** How often ZooKeeper was asked; only differences count. */
    private static final AtomicLong ASKED = new AtomicLong();

    private ServerCounter() {}

    /** The count so far, without these questions, which ZooKeeper counts, too. */
    static long read(Server server) {
        try {
            return switch (server.store()) {
                case REDIS -> redis(ask(server, "*2\r\n$4\r\nINFO\r\n$12\r\ncommandstats\r\n", "cmdstat"));
                case ZOOKEEPER -> sum(ZOOKEEPER, text(server)) - ASKED.get();
                case ETCD -> sum(ETCD, text(server));
                case POSTGRESQL, MARIADB -> 0; // not counted
            };
        } catch (IOException e) {
            throw new IllegalStateException("the server's counters cannot be read", e);
        }
    }

    /** Another number that the server shows: the first group of a pattern, summed up; 0 if it shows none. */
    static long number(Server server, String pattern) {
        try {
            return sum(Pattern.compile(pattern), text(server));
        } catch (IOException e) {
            throw new IllegalStateException("the server's counters cannot be read", e);
        }
    }

    private static String text(Server server) throws IOException {
        return switch (server.store()) {
            case REDIS -> ask(server, "*1\r\n$4\r\nINFO\r\n", "# Keyspace");
            case ZOOKEEPER -> {
                ASKED.incrementAndGet();
                yield ask(server, "mntr", null);
            }
            case ETCD -> ask(server, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", null);
            default -> throw new IllegalArgumentException("no lock on " + server.store());
        };
    }

    /**
     * Commands of clients; those that a script runs are no requests. A plain SET or INCR cannot be told from a script's, so that a subject which
     * sends them is counted too low.
     */
    private static long redis(String info) {
        long sum = 0;
        Matcher found = REDIS.matcher(info);
        while (found.find()) {
            String command = found.group(1);
            boolean request = command.startsWith("eval")
                    || command.startsWith("subscribe")
                    || command.startsWith("unsubscribe")
                    || command.startsWith("script")
                    || command.startsWith("wait")
                    || command.startsWith("ping")
                    || command.startsWith("blpop")
                    || command.startsWith("rpush")
                    || command.startsWith("ssubscribe");
            sum += request ? Long.parseLong(found.group(2)) : 0;
        }
        return sum;
    }

    private static long sum(Pattern pattern, String text) {
        long sum = 0;
        Matcher found = pattern.matcher(text);
        while (found.find()) {
            sum += (long) Double.parseDouble(found.group(1));
        }
        return sum;
    }

    private static String ask(Server server, String request, @Nullable String endsOnceItHas) throws IOException {
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoTimeout(10_000);
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            out.flush();
            InputStream in = socket.getInputStream();
            StringBuilder answer = new StringBuilder();
            byte[] buffer = new byte[65_536];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                answer.append(new String(buffer, 0, n, StandardCharsets.US_ASCII));
                if (endsOnceItHas != null && answer.indexOf(endsOnceItHas) >= 0 && endsWith(answer, "\r\n")) {
                    break;
                }
            }
            return answer.toString();
        }
    }

    private static boolean endsWith(StringBuilder text, String end) {
        return text.length() >= end.length()
                && text.substring(text.length() - end.length()).equals(end);
    }
}
