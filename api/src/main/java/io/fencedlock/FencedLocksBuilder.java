package io.fencedlock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a client's configuration together. What is set twice is taken from: {@link #option}, then the URL, then {@link #properties},
 * then {@link #environment}, then the default. Not thread-safe; may be used again.
 */
public final class FencedLocksBuilder {

    private static final Logger LOG = LoggerFactory.getLogger(FencedLocksBuilder.class);
    private static final String URL_OPTION = "url";
    private static final String PROPERTY_PREFIX = "fencedlock.";
    private static final String VARIABLE_PREFIX = "FENCEDLOCK_";

    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private @Nullable String url;
    private @Nullable ClassLoader loader;
    private @Nullable FencedLockProvider provider;
    private @Nullable LockClock clock;

    FencedLocksBuilder() {}

    /**
     * Sets the URL.
     *
     * @param text see {@link FencedLocks#connect(String)}
     * @return this
     */
    public FencedLocksBuilder url(String text) {
        url = text;
        return this;
    }

    /**
     * Sets an option.
     *
     * @param name its name, as in a URL's query
     * @param value its value, as in a URL's query
     * @return this
     */
    public FencedLocksBuilder option(String name, String value) {
        options.put(name, value);
        return this;
    }

    /**
     * Reads {@code fencedlock.url} and the other {@code fencedlock.<option>} entries; other entries are ignored.
     *
     * @param entries {@link java.util.Properties} or any map with text keys and values
     * @return this
     */
    public FencedLocksBuilder properties(Map<?, ?> entries) {
        entries.forEach((key, value) -> {
            if (key instanceof String name && name.startsWith(PROPERTY_PREFIX)) {
                properties.put(name.substring(PROPERTY_PREFIX.length()), String.valueOf(value));
            }
        });
        return this;
    }

    /**
     * Reads {@code FENCEDLOCK_URL} and {@code FENCEDLOCK_<OPTION>} (upper case, underscores for hyphens). Unlike elsewhere an unknown
     * variable is no error, as the environment belongs to others, too.
     *
     * @param environment {@link System#getenv()}
     * @return this
     */
    public FencedLocksBuilder environment(Map<String, String> environment) {
        environment.forEach((key, value) -> {
            if (key.startsWith(VARIABLE_PREFIX)) {
                String name = key.substring(VARIABLE_PREFIX.length());
                variables.put(name.toLowerCase(Locale.ROOT).replace('_', '-'), value);
            }
        });
        return this;
    }

    /**
     * Sets where providers are looked for; by default the library's own class loader, then the thread's.
     *
     * @param classLoader the loader
     * @return this
     */
    public FencedLocksBuilder classLoader(ClassLoader classLoader) {
        loader = classLoader;
        return this;
    }

    /**
     * Sets the provider, so that none is looked for.
     *
     * @param chosen the provider; it has to know the URL's scheme
     * @return this
     */
    public FencedLocksBuilder provider(FencedLockProvider chosen) {
        provider = chosen;
        return this;
    }

    /**
     * Sets the clock, for tests.
     *
     * @param leaseClock the clock; the caller keeps it
     * @return this
     */
    public FencedLocksBuilder clock(LockClock leaseClock) {
        clock = leaseClock;
        return this;
    }

    /**
     * Opens the client.
     *
     * @return the client
     * @throws LockConfigurationException if the configuration is wrong; nothing was opened
     */
    public FencedLocks connect() {
        return open((opened, config) ->
                new LockEngine(opened.open(config), config.lockOptions(), config.commandTimeout(), config.clock()));
    }

    /**
     * Opens a client on a backend made by the program; no URL and no provider is needed, options are those of {@link SharedOptions}.
     *
     * @param backend the backend, with the clock it was made with; closed by the client
     * @param backendClock the clock that the backend uses
     * @return the client
     * @throws LockConfigurationException if an option is wrong
     */
    public FencedLocks connect(FencedLockBackend backend, LockClock backendClock) {
        BackendConfig config = new BackendConfig(
                "", List.of(), "", merged(Map.of(), SharedOptions.ALL), SharedOptions.ALL, backendClock);
        return new LockEngine(backend, config.lockOptions(), config.commandTimeout(), backendClock);
    }

    /**
     * Opens the bare backend, for those who test it or wrap it. Its clock ends with the JVM unless {@link #clock} was set.
     *
     * @return the backend, closed by the caller
     * @throws LockConfigurationException if the configuration is wrong; nothing was opened
     */
    public FencedLockBackend openBackend() {
        return open(FencedLockProvider::open);
    }

    /**
     * Opens the store that the URL names as a register of fenced values.
     *
     * @return the register
     * @throws LockConfigurationException if the configuration is wrong; nothing was opened
     */
    public FencedRegister openRegister() {
        return open(FencedLockProvider::openRegister);
    }

    /**
     * Opens the fences in the store that the URL names.
     *
     * @return the fence
     * @throws LockConfigurationException if the configuration is wrong; nothing was opened
     */
    public Fence openFence() {
        return open(FencedLockProvider::openFence);
    }

    private <T> T open(BiFunction<FencedLockProvider, BackendConfig, T> opener) {
        BackendUrl parsed = BackendUrl.parse(chosenUrl());
        FencedLockProvider chosen = chosenProvider(parsed.scheme());
        List<Option<?>> known = Stream.concat(SharedOptions.ALL.stream(), chosen.options().stream())
                .toList();
        Map<String, String> values = merged(parsed.values(), known);
        known.forEach(option -> Optional.ofNullable(values.get(option.name())).ifPresent(option::parse));
        LockClock used = clock != null ? clock : new SystemClock();
        try {
            return opener.apply(
                    chosen,
                    new BackendConfig(parsed.scheme(), endpoints(parsed, chosen), parsed.path(), values, known, used));
        } catch (RuntimeException e) {
            close(used);
            throw e;
        }
    }

    private String chosenUrl() {
        return Stream.of(
                        Optional.ofNullable(url),
                        Optional.ofNullable(properties.get(URL_OPTION)),
                        Optional.ofNullable(variables.get(URL_OPTION)))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(() -> new LockConfigurationException(
                        "no URL: give one by call, as fencedlock.url in the properties, or as FENCEDLOCK_URL in the"
                                + " environment",
                        null));
    }

    private FencedLockProvider chosenProvider(String scheme) {
        if (provider != null) {
            return new Providers(List.of(provider), List.of()).forScheme(scheme);
        }
        if (loader != null) {
            return Providers.load(loader).forScheme(scheme);
        }
        Providers own = Providers.own();
        ClassLoader threads = Thread.currentThread().getContextClassLoader();
        boolean known = own.found().stream().anyMatch(p -> p.schemes().containsKey(scheme));
        return (known || threads == null ? own : Providers.load(threads)).forScheme(scheme);
    }

    private Map<String, String> merged(Map<String, String> fromUrl, List<Option<?>> known) {
        List<String> names = known.stream().<String>map(Option::name).toList();
        Map<String, String> values = new HashMap<>();
        variables.forEach((name, value) -> {
            if (names.contains(name)) {
                values.put(name, value);
            } else {
                OptionNames.nearest(name, names)
                        .ifPresent(near -> LOG.warn(
                                "environment variable for unknown option {} is ignored; did you mean {}?", name, near));
            }
        });
        for (Map<String, String> source : List.of(properties, fromUrl, options)) {
            source.forEach((name, value) -> {
                if (names.contains(name)) {
                    values.put(name, value);
                } else if (!(name.equals(URL_OPTION) && source == properties)) {
                    throw unknown(name, names);
                }
            });
        }
        return values;
    }

    private static LockConfigurationException unknown(String name, List<String> known) {
        String hint = OptionNames.nearest(name, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
        return new LockConfigurationException(
                "unknown option " + name + hint + (hint.isEmpty() ? "; known: " : " Known: ")
                        + String.join(", ", known.stream().sorted().toList()),
                null);
    }

    private static List<Endpoint> endpoints(BackendUrl url, FencedLockProvider chosen) {
        int defaultPort = chosen.schemes().getOrDefault(url.scheme(), 0);
        if (url.hosts().isEmpty() != (defaultPort == 0)) {
            throw new LockConfigurationException(
                    "a " + url.scheme() + " URL "
                            + (defaultPort == 0 ? "names no host" : "names at least one host:port"),
                    null);
        }
        List<Endpoint> endpoints = new ArrayList<>();
        url.hosts().forEach(e -> endpoints.add(e.port() != 0 ? e : new Endpoint(e.host(), defaultPort)));
        return endpoints;
    }

    private static void close(LockClock clock) {
        if (clock instanceof SystemClock system) {
            system.close();
        }
    }
}
