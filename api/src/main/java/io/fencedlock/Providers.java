package io.fencedlock;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;

/** The providers that {@link ServiceLoader} finds; one that cannot be loaded is remembered and does not break the others. */
record Providers(List<FencedLockProvider> found, List<String> failures) {

    /** Looked for once: to look through a long class path takes as long as to connect. */
    private static final class Own {

        private static final Providers ALL = load(FencedLockProvider.class.getClassLoader());
    }

    /** Those beside this library. */
    static Providers own() {
        return Own.ALL;
    }

    static Providers load(ClassLoader loader) {
        List<FencedLockProvider> found = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        Iterator<ServiceLoader.Provider<FencedLockProvider>> services =
                ServiceLoader.load(FencedLockProvider.class, loader).stream().iterator();
        while (true) {
            try {
                if (!services.hasNext()) {
                    return new Providers(List.copyOf(found), List.copyOf(failures));
                }
                found.add(services.next().get());
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add(e.toString());
            }
        }
    }

    FencedLockProvider forScheme(String scheme) {
        List<FencedLockProvider> matching =
                found.stream().filter(p -> p.schemes().containsKey(scheme)).toList();
        if (matching.size() == 1) {
            return matching.get(0);
        }
        String what = matching.isEmpty() ? "no backend" : "more than one backend";
        StringBuilder message = new StringBuilder(what + " for scheme \"" + scheme + "\"; found: ");
        List<FencedLockProvider> named = matching.isEmpty() ? found : matching;
        named.forEach(p -> message.append(describe(p)).append("; "));
        message.append(named.isEmpty() ? "none; " : "").append("add the jar of the backend, or keep one");
        failures.forEach(f -> message.append("; failed to load: ").append(f));
        throw new LockConfigurationException(message.toString(), null);
    }

    private static String describe(FencedLockProvider provider) {
        return provider.name() + " ("
                + String.join(", ", new TreeSet<>(provider.schemes().keySet())) + ")";
    }
}
