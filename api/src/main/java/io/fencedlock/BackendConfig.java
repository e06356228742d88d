package io.fencedlock;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The checked configuration that a provider opens a backend with. Immutable and thread-safe; its {@code toString} shows no
 * secret.
 */
public final class BackendConfig {

    private static final Duration LONGEST_DEFAULT_COMMAND = Duration.ofSeconds(1);

    private final String scheme;
    private final List<Endpoint> endpoints;
    private final String path;
    private final Map<String, String> values;
    private final List<Option<?>> known;
    private final LockClock clock;

    BackendConfig(
            String scheme,
            List<Endpoint> endpoints,
            String path,
            Map<String, String> values,
            List<Option<?>> known,
            LockClock clock) {
        this.scheme = scheme;
        this.endpoints = List.copyOf(endpoints);
        this.path = path;
        this.values = Map.copyOf(values);
        this.known = List.copyOf(known);
        this.clock = clock;
    }

    /**
     * The URL's scheme.
     *
     * @return lower case
     */
    public String scheme() {
        return scheme;
    }

    /**
     * The servers, in the order of the URL.
     *
     * @return one or more; empty for a scheme without hosts
     */
    public List<Endpoint> endpoints() {
        return endpoints;
    }

    /**
     * The URL's path, decoded, without the leading slash.
     *
     * @return empty if there is none
     */
    public String path() {
        return path;
    }

    /**
     * The value of an option that has a default.
     *
     * @param <T> its type
     * @param option one of the provider's or of {@link SharedOptions}
     * @return the value given, else the default
     * @throws LockConfigurationException if the option has neither
     */
    public <T> T get(Option<T> option) {
        return find(option)
                .orElseThrow(() -> new LockConfigurationException("option " + option.name() + " is missing", null));
    }

    /**
     * The value of an option that may be absent.
     *
     * @param <T> its type
     * @param option one of the provider's or of {@link SharedOptions}
     * @return the value given, else the default, else empty
     */
    public <T> Optional<T> find(Option<T> option) {
        if (!known.contains(option)) {
            throw new IllegalArgumentException("option " + option.name() + " is not declared by the provider");
        }
        String text = values.getOrDefault(option.name(), option.defaultText());
        return text == null ? Optional.empty() : Optional.of(option.parse(text));
    }

    /**
     * How long one request may take.
     *
     * @return the option {@code command-timeout}, by default a third of the lease time and at most one second
     */
    public Duration commandTimeout() {
        return find(SharedOptions.COMMAND_TIMEOUT).orElseGet(() -> {
            Duration third = get(SharedOptions.LEASE).dividedBy(3);
            return third.compareTo(LONGEST_DEFAULT_COMMAND) < 0 ? third : LONGEST_DEFAULT_COMMAND;
        });
    }

    /**
     * How locks live that set no options of their own.
     *
     * @return from {@code lease}, {@code renewal} and {@code max-hold}
     */
    public LockOptions lockOptions() {
        return new LockOptions(get(SharedOptions.LEASE), get(SharedOptions.RENEWAL), find(SharedOptions.MAX_HOLD));
    }

    /**
     * The clock that leases are reckoned by.
     *
     * @return the client's clock; it ends after the backend was closed
     */
    public LockClock clock() {
        return clock;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(scheme).append(':');
        endpoints.forEach(e -> text.append(' ').append(e));
        if (!path.isEmpty()) {
            text.append(" /").append(path);
        }
        for (Option<?> option : known) {
            String value = values.get(option.name());
            if (value != null) {
                text.append(' ').append(option.name()).append('=').append(option.sensitive() ? "***" : value);
            }
        }
        return text.toString();
    }
}
