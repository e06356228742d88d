package io.fencedlock.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where and with what was measured.
 *
 * @param entries what: machine, java, …; and its value
 */
record Surroundings(Map<String, String> entries) {

    /** Libraries that matter, as their jars' names begin. */
    private static final List<String> LIBRARIES = List.of(
            "lettuce-core-",
            "redisson-",
            "spring-integration-redis-",
            "curator-recipes-",
            "zookeeper-3",
            "jetcd-core-");

    static Surroundings of(List<String> arguments, Collection<String> servers, Awake awake) {
        Map<String, String> entries = new LinkedHashMap<>();
        entries.put("command", "benchmarks/run " + String.join(" ", arguments));
        entries.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        entries.put(
                "machine",
                line("/proc/cpuinfo", "model name") + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors, memory "
                        + line("/proc/meminfo", "MemTotal"));
        entries.put("processors", awake.state());
        entries.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        entries.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        entries.put(
                "servers",
                String.join(", ", servers) + ", on the same machine, their data in "
                        + System.getProperty("java.io.tmpdir"));
        entries.put("libraries", libraries());
        return new Surroundings(entries);
    }

    /** The value after the colon of the first line that begins so. */
    private static String line(String file, String begin) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(begin))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static String libraries() {
        String path = System.getProperty("java.class.path");
        List<String> found = new ArrayList<>();
        for (String entry : path.split(File.pathSeparator, -1)) {
            String jar = entry.substring(entry.lastIndexOf('/') + 1);
            if (LIBRARIES.stream().anyMatch(jar::startsWith)) {
                found.add(jar.replace(".jar", ""));
            }
        }
        return found.stream().sorted().collect(Collectors.joining(", "));
    }

    /** As members of a JSON object. */
    String json() {
        return entries.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":\""
                        + entry.getValue().replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",\n "));
    }

    /** As a list in Markdown. */
    String markdown() {
        return entries.entrySet().stream()
                .map(entry -> "- " + entry.getKey() + ": " + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }
}
