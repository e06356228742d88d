package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLocks;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server, and a prefix of each test's own, under which it may leave no entry. One for a test class, as a static extension. */
final class Rig implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    static final Duration SOON = Duration.ofSeconds(20);

    private final Supplier<Server> starts;
    private Server server;
    private EtcdProbe probe;
    private String prefix;

    private Rig(Supplier<Server> starts) {
        this.starts = starts;
    }

    /** On the server of all. */
    static Rig shared() {
        return new Rig(() -> Servers.start(Store.ETCD));
    }

    /** On a server of its own, which may be harmed. */
    static Rig own() {
        return new Rig(() -> Servers.start(Store.ETCD, ServerOptions.defaults().throwAway()));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = starts.get();
        probe = new EtcdProbe(server);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        prefix = "t" + System.nanoTime();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        entriesBecome(0);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        probe.close();
        server.close();
    }

    Server server() {
        return server;
    }

    EtcdProbe probe() {
        return probe;
    }

    String prefix() {
        return prefix;
    }

    /**
     * A client under the test's prefix.
     *
     * @param url the server's, or that of a proxy before it
     * @param options as in a URL, without the question mark
     */
    FencedLocks connect(String url, String options) {
        return FencedLocks.connect(url + "/" + prefix + "?" + options);
    }

    /** The keys of all that hold or wait. */
    List<String> entries() {
        return probe.entries(prefix);
    }

    void entriesBecome(int number) {
        await().atMost(SOON).untilAsserted(() -> assertThat(entries()).hasSize(number));
    }
}
