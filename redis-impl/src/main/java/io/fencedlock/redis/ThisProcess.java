package io.fencedlock.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where we run, for people who look who holds a lock. */
final class ThisProcess {

    /** "pid:host"; the host is empty if unknown. Found without asking a name server, which could block. */
    static final String PID_AND_HOST = ProcessHandle.current().pid() + ":" + host();

    private static final int LONGEST_HOST = 64;

    private ThisProcess() {}

    private static String host() {
        String name = systemName()
                .or(() -> List.of("HOSTNAME", "COMPUTERNAME").stream()
                        .flatMap(variable -> Optional.ofNullable(System.getenv(variable)).stream())
                        .findFirst())
                .orElse("");
        return name.substring(0, Math.min(LONGEST_HOST, name.length()));
    }

    private static Optional<String> systemName() {
        try {
            return Optional.of(
                    Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
