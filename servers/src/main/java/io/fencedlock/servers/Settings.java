package io.fencedlock.servers;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/** What the user sets: {@code -Dfencedlock.servers.redis=…}, or FENCEDLOCK_SERVERS_REDIS in the environment. */
final class Settings {
    private Settings() {}

    static Optional<String> get(String property) {
        String variable = property.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty));
    }
}
