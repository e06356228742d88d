package io.fencedlock.cli;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * Receives the signals that ask this process to end. The JDK has no supported API for that; its unsupported one is reached by reflection,
 * and where it is missing the signals end this JVM as ever.
 */
final class Signals {
    private static final List<String> NAMES = List.of("INT", "TERM", "HUP");

    private Signals() {}

    /** Calls back with the name of each signal, on a thread of the JVM. One that is ignored (nohup) stays ignored. */
    static void receive(Consumer<String> receiver) {
        for (String name : NAMES) {
            try {
                receive(name, receiver);
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                // not on this JVM, or reserved by its flags (-Xrs)
            }
        }
    }

    private static void receive(String name, Consumer<String> receiver) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object ours =
                Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handler}, (p, method, a) -> {
                    if (method.getName().equals("handle")) {
                        receiver.accept(name);
                        return null;
                    }
                    return method.getName().equals("equals") ? p == a[0] : System.identityHashCode(p);
                });
        var handle = signal.getMethod("handle", signal, handler);
        Object subject = signal.getConstructor(String.class).newInstance(name);
        Object before = handle.invoke(null, subject, ours);
        Object ignore = handler.getField("SIG_IGN").get(null);
        if (before == ignore) {
            handle.invoke(null, subject, ignore);
        }
    }

    /** The number of a signal, as in exit codes. */
    static int number(String name) {
        return switch (name) {
            case "HUP" -> 1;
            case "INT" -> 2;
            default -> 15;
        };
    }
}
