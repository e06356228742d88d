package io.fencedlock.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** Which system this is. */
final class Distribution {
    private Distribution() {}

    /** For example debian-12-amd64: an unpacked program fits the system it was unpacked on. */
    static String name() {
        String release = "linux";
        try {
            Map<String, String> words = Files.readAllLines(Path.of("/etc/os-release")).stream()
                    .filter(line -> line.contains("="))
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.indexOf('=')),
                            line -> line.substring(line.indexOf('=') + 1).replace("\"", ""),
                            (a, b) -> b));
            release = words.getOrDefault("ID", "linux") + "-" + words.getOrDefault("VERSION_ID", "rolling");
        } catch (IOException e) {
            // a system without this file is old enough to be told by its architecture alone
        }
        return (release + "-" + System.getProperty("os.arch")).replaceAll("[^A-Za-z0-9._-]", "_");
    }
}
