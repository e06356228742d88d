package io.fencedlock.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the server counts. */
record FourLetters(InetSocketAddress address) {

    /** Packets from clients so far, pings and these questions included. */
    long received() throws IOException {
        return number("srvr", "Received: (\\d+)");
    }

    long watches() throws IOException {
        return number("wchs", "Total watches:(\\d+)");
    }

    /** How many sessions have a watch on a node's data. */
    long watchers(String path) throws IOException {
        return ask("wchp")
                .lines()
                .dropWhile(line -> !line.equals(path))
                .skip(1)
                .takeWhile(line -> line.startsWith("\t"))
                .count();
    }

    private long number(String word, String pattern) throws IOException {
        String text = ask(word);
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new IOException("no " + pattern + " in the answer to " + word + ": " + text);
        }
        return Long.parseLong(found.group(1));
    }

    private String ask(String word) throws IOException {
        try (Socket socket = new Socket(address.getHostString(), address.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
