package io.fencedlock.compliance;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedLocksBuilder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client is configured with, by each of the four ways; null and empty where a way is not used. */
record Configured(
        @Nullable String url,
        Map<String, String> options,
        Map<String, String> properties,
        Map<String, String> environment) {

    /** Opens clients; a mutant does it wrong. */
    interface Opener {
        FencedLocks open(Configured configured);
    }

    static final Configured NOTHING = new Configured(null, Map.of(), Map.of(), Map.of());

    static Configured by(String url) {
        return NOTHING.withUrl(url);
    }

    Configured withUrl(String other) {
        return new Configured(other, options, properties, environment);
    }

    Configured withOption(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return new Configured(url, more, properties, environment);
    }

    Configured withProperties(Map<String, String> entries) {
        return new Configured(url, options, entries, environment);
    }

    Configured withEnvironment(Map<String, String> variables) {
        return new Configured(url, options, properties, variables);
    }

    FencedLocks open() {
        FencedLocksBuilder builder =
                FencedLocks.configure().environment(environment).properties(properties);
        if (url != null) {
            builder.url(url);
        }
        options.forEach(builder::option);
        return builder.connect();
    }
}
