package io.fencedlock.zookeeper;

import io.fencedlock.LockName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What a contender's node says of itself: name, host and process, a line each. A name has no line breaks. */
record NodeData(String name, Optional<String> host, OptionalLong pid) {

    private static final String HOST = thisHost();

    static byte[] of(LockName name) {
        String text = name + "\n" + HOST + "\n" + ProcessHandle.current().pid();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static NodeData parse(String text) {
        String[] lines = text.split("\n", -1);
        Optional<String> host = lines.length > 1 && !lines[1].isEmpty() ? Optional.of(lines[1]) : Optional.empty();
        OptionalLong pid = lines.length > 2 && lines[2].matches("\\d{1,18}")
                ? OptionalLong.of(Long.parseLong(lines[2]))
                : OptionalLong.empty();
        return new NodeData(lines[0], host, pid);
    }

    /** Without asking a name server, which may keep its caller waiting. */
    private static String thisHost() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return Stream.of("HOSTNAME", "COMPUTERNAME")
                    .map(System::getenv)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("");
        }
    }
}
