package io.fencedlock.cli;

import java.util.Locale;
import java.util.Optional;

/** Where a replay's tokens come from. */
public enum TokenSource {
    /** The library's own: one space for all backends. */
    DEFAULT,
    /** The store's bare counter, as articles have it: 1, 2, 3. */
    TEXTBOOK;

    /** The value of the option {@code tokens} in the URL of a backend; empty for the default. */
    public Optional<String> option(String backend) {
        if (this == DEFAULT) {
            return Optional.empty();
        }
        return switch (backend.replaceFirst("-.*", "")) { // also of a cluster: redis-sentinel, etcd-3
            case "redis", "redlock" -> Optional.of("counter");
            case "zookeeper" -> Optional.of("sequence");
            case "etcd" -> Optional.of("revision");
            default -> throw CommandFailure.wrongInput("no textbook tokens are known for " + backend);
        };
    }

    public String shown() {
        return name().toLowerCase(Locale.ROOT);
    }
}
