package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * One Redis command and its reply, as text: the elements of an array stand on lines of their own. For faults that no client library
 * offers. Each command has a connection of its own, without password and TLS. Thread-safe.
 */
public final class Resp {
    private static final int COMMAND_MILLIS = 20_000;
    private static final int QUESTION_MILLIS = 1000; // it is asked again

    private Resp() {}

    /**
     * Asks a server, and waits for its answer, at most 20 s.
     *
     * @param server its address
     * @param words the command and its arguments
     * @return the reply, the empty text for nil
     * @throws IOException if the server does not answer, or with the server's words if it refuses
     */
    public static String ask(InetSocketAddress server, String... words) throws IOException {
        return ask(server, COMMAND_MILLIS, words);
    }

    private static String ask(InetSocketAddress server, int limitMillis, String... words) throws IOException {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            int bytes = word.getBytes(StandardCharsets.UTF_8).length;
            command.append('$').append(bytes).append("\r\n").append(word).append("\r\n");
        }
        try (Wire wire = Wire.connect(server, limitMillis)) {
            return read(wire.send(command.toString()));
        }
    }

    /** As {@link #ask}, and the empty text when the server does not answer or refuses. */
    static String askOrNothing(InetSocketAddress server, String... words) {
        try {
            return ask(server, QUESTION_MILLIS, words);
        } catch (IOException e) {
            return "";
        }
    }

    private static String read(Wire wire) throws IOException {
        String line = wire.readLine();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> rest.equals("-1") ? "" : bulk(wire, Integer.parseInt(rest));
            case '*' -> array(wire, Integer.parseInt(rest));
            case '-' -> throw new IOException("Redis refuses: " + rest);
            default -> throw new IOException("not the protocol of Redis: " + line);
        };
    }

    private static String bulk(Wire wire, int bytes) throws IOException {
        String text = wire.read(bytes);
        wire.readLine();
        return text;
    }

    private static String array(Wire wire, int elements) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < elements; i++) {
            lines.append(i == 0 ? "" : "\n").append(read(wire));
        }
        return lines.toString();
    }
}
