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

/**
 * What a contender's node says of itself: name, host, process and base, a line each. A name has no line breaks.
 *
 * @param base what lifts the node's creation zxid to the token, so that anybody can tell the token of a lock that is held, whatever the base is by
 *     now; 0 where tokens are not lifted
 */
record NodeData(String name, Optional<String> host, OptionalLong pid, long base) {

    private static final String HOST = thisHost();

    static byte[] of(LockName name, long base) {
        String text = name + "\n" + HOST + "\n" + ProcessHandle.current().pid() + "\n" + base;
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static NodeData parse(String text) {
        String[] lines = text.split("\n", -1);
        Optional<String> host = lines.length > 1 && !lines[1].isEmpty() ? Optional.of(lines[1]) : Optional.empty();
        return new NodeData(lines[0], host, number(lines, 2), number(lines, 3).orElse(0));
    }

    private static OptionalLong number(String[] lines, int at) {
        try {
            return lines.length > at ? OptionalLong.of(Long.parseLong(lines[at])) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
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
