package io.fencedlock.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provides;
import com.google.inject.name.Names;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.LockConfigurationException;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Binds {@link FencedLocks} as a singleton from configuration, and single locks by name:
 *
 * <pre>
 *   Injector injector = Guice.createInjector(FencedLockModule.of(properties).lock("invoices"));
 *   …
 *   &#64;Inject Invoices(&#64;Named("invoices") FencedLock lock) { … }
 * </pre>
 *
 * <p>Guice has no end of life: call {@link #close(Injector)} when the application ends. The client is opened when it is first injected; a wrong
 * configuration is then a {@link com.google.inject.ProvisionException} with the {@link LockConfigurationException} as its cause. Immutable and
 * thread-safe.
 */
public final class FencedLockModule extends AbstractModule {
    private final Map<?, ?> properties;
    private final Map<String, String> locks;

    private FencedLockModule(Map<?, ?> properties, Map<String, String> locks) {
        this.properties = properties;
        this.locks = locks;
    }

    /**
     * Takes the configuration from {@code fencedlock.url} and the other {@code fencedlock.<option>} entries.
     *
     * @param properties {@link java.util.Properties} or any map with text keys and values; copied
     * @return the module, without single locks
     */
    public static FencedLockModule of(Map<?, ?> properties) {
        return new FencedLockModule(new HashMap<>(properties), Map.of());
    }

    /**
     * Takes the configuration from a URL.
     *
     * @param url as for {@link FencedLocks#connect(String)}
     * @return the module, without single locks
     */
    public static FencedLockModule of(String url) {
        return of(Map.of("fencedlock.url", url));
    }

    /**
     * Binds a lock, to be injected as {@code @Named(name) FencedLock}.
     *
     * @param name the lock's name, and the annotation's value
     * @return a module that binds one more
     */
    public FencedLockModule lock(String name) {
        return lock(name, name);
    }

    /**
     * Binds a lock under another name than its own.
     *
     * @param annotation the value of {@code @Named}
     * @param name the lock's name
     * @return a module that binds one more
     * @throws IllegalArgumentException if the annotation is taken
     */
    public FencedLockModule lock(String annotation, String name) {
        Map<String, String> more = new LinkedHashMap<>(locks);
        if (more.put(annotation, name) != null) {
            throw new IllegalArgumentException("@Named(\"" + annotation + "\") is bound to a lock already");
        }
        return new FencedLockModule(properties, more);
    }

    /**
     * Closes the client, if it was opened: gives back its locks and ends its threads. Never throws; idempotent; bounded in time as {@link
     * FencedLocks#close()}.
     *
     * @param injector one that was made with this module
     */
    public static void close(Injector injector) {
        injector.getInstance(ClientHolder.class).close();
    }

    @Override
    protected void configure() {
        bind(ClientHolder.class).toInstance(new ClientHolder(properties));
        locks.forEach((annotation, name) -> {
            var client = getProvider(FencedLocks.class);
            bind(Key.get(FencedLock.class, Names.named(annotation)))
                    .toProvider(() -> client.get().get(name));
        });
    }

    @Provides
    @Singleton
    FencedLocks locks(ClientHolder holder) {
        return holder.open();
    }
}
