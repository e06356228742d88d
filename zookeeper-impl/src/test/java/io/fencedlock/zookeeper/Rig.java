package io.fencedlock.zookeeper;

import static org.awaitility.Awaitility.await;

import io.fencedlock.BackendConfig;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LockClock;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server, and each test's clients of it, under a prefix of the test's own; all that a test opened is closed after it, in the reverse order. One for
 * a test class, as a static extension.
 */
final class Rig implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    static final Duration SOON = Duration.ofSeconds(15);
    static final String SESSION = "?lease=4s&command-timeout=1s";

    private final Supplier<Server> starts;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Server server;
    private String prefix;
    private ZooKeeper raw;

    /** On a server of its own. */
    Rig() {
        this(() -> Servers.start(Store.ZOOKEEPER, ServerOptions.defaults().throwAway()));
    }

    Rig(Supplier<Server> starts) {
        this.starts = starts;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = starts.get();
        newPrefix();
    }

    private void newPrefix() {
        prefix = "/t" + Long.toString(System.nanoTime(), 36);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        close();
        newPrefix();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
    }

    Server server() {
        return server;
    }

    /** Locks on a backend that a test can look into. */
    record Client(ZooKeeperBackend backend, FencedLocks locks) {
        ZkSession session() throws Exception {
            return backend.session().get(10, TimeUnit.SECONDS);
        }
    }

    String prefix() {
        return prefix;
    }

    String url() {
        return server.url() + prefix + SESSION;
    }

    <T extends AutoCloseable> T opened(T thing) {
        opened.add(0, thing);
        return thing;
    }

    FencedLocks connect() {
        return connect(server.url(), "");
    }

    /** Connected, and with the first requests behind it. */
    FencedLocks connect(String url, String options) {
        return ready(opened(FencedLocks.connect(url + prefix + SESSION + options)));
    }

    static FencedLocks ready(FencedLocks locks) {
        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> locks.inspect("warm-up").isEmpty());
        return locks;
    }

    Client client() {
        return client(server.url(), "");
    }

    Client client(String url, String options) {
        LockClock clock = LockClock.system();
        ZooKeeperBackend backend =
                new ZooKeeperBackend(settings(url + prefix + SESSION + options).on(clock));
        return new Client(backend, ready(opened(FencedLocks.configure().url(url).connect(backend, clock))));
    }

    static ZkSettings settings(String url) {
        BackendConfig[] seen = new BackendConfig[1];
        FencedLocks.configure()
                .provider(new Capture(config -> seen[0] = config))
                .url(url)
                .connect()
                .close();
        return ZkSettings.of(seen[0]);
    }

    static String hostAndPort(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    /** The driver alone; one for all of a test. */
    synchronized ZooKeeper raw() throws Exception {
        if (raw == null) {
            raw = connectRaw();
        }
        return raw;
    }

    private ZooKeeper connectRaw() throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper handle = new ZooKeeper(hostAndPort(server.address()), 10_000, event -> connected.complete(null));
        opened(handle::close);
        connected.get(10, TimeUnit.SECONDS);
        return handle;
    }

    /** As only the server can: the session's second connection closes it. */
    void end(ZkSession session) throws Exception {
        ZooKeeper handle = session.handle();
        CompletableFuture<Void> connected = new CompletableFuture<>();
        ZooKeeper second = new ZooKeeper(
                hostAndPort(server.address()),
                handle.getSessionTimeout(),
                event -> connected.complete(null),
                handle.getSessionId(),
                handle.getSessionPasswd());
        connected.get(10, TimeUnit.SECONDS);
        second.close();
    }

    /** The node of a lease. */
    static String node(Lease lease) {
        return ((ZkRef) lease.grant().ref()).path();
    }

    /** The nodes of all contenders that stand. */
    List<String> contenders() throws Exception {
        return tree().stream()
                .filter(path -> ZkPaths.isContender(ZkPaths.child(path)))
                .toList();
    }

    /** Every node under the prefix. */
    List<String> tree() throws Exception {
        ZooKeeper handle = raw();
        while (true) {
            try {
                return handle.exists(prefix, false) == null ? List.of() : ZKUtil.listSubTreeBFS(handle, prefix);
            } catch (NoNodeException e) {
                // a node went while the tree was being read: once more
            }
        }
    }

    static void waiters(FencedLocks locks, String name, int count) {
        await().atMost(SOON)
                .ignoreExceptions()
                .until(() -> locks.inspect(name).orElseThrow().waiters().orElseThrow() == count);
    }

    static void free(FencedLocks locks, String name) {
        await().atMost(SOON).ignoreExceptions().until(() -> locks.inspect(name).isEmpty());
    }

    void close() throws Exception {
        if (server.canBeHarmed()) {
            server.resume();
        }
        for (AutoCloseable each : opened) {
            each.close();
        }
        opened.clear();
        raw = null;
    }
}
