package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.LockClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Curator's client, of which this uses the connection: it finds a server, comes back after an outage, and makes a new session when the
 * old one has ended. Requests go to the {@link ZkSession}, so that each is bound to one session and is never repeated unseen.
 */
final class ZkClient {

    private static final Logger LOG = LoggerFactory.getLogger(ZkClient.class);
    private static final int CLOSE_WAIT_MILLIS = 500;

    private final ZkSettings settings;
    private final CuratorFramework curator;
    private final Consumer<ZkSession> onSession;
    private final Consumer<ZkSession> onReconnect;
    private final Consumer<ZkSession> onEnd;
    private final CompletableFuture<ZkSession> first = new CompletableFuture<>();
    /** Until the first session: whether all servers were tried, and none took the connection. */
    private final CompletableFuture<Void> nobody = new CompletableFuture<>();

    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile @Nullable ZkSession session;
    private volatile boolean closed;

    /** Connects in the background; tells of each session's begin, interruptions and end, on a thread of Curator's. */
    ZkClient(
            ZkSettings settings,
            Consumer<ZkSession> onSession,
            Consumer<ZkSession> onReconnect,
            Consumer<ZkSession> onEnd) {
        this.settings = settings;
        this.onSession = onSession;
        this.onReconnect = onReconnect;
        this.onEnd = onEnd;
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.connect())
                .sessionTimeoutMs(
                        (int) Math.min(Integer.MAX_VALUE, settings.session().toMillis()))
                .connectionTimeoutMs(
                        (int) Math.max(1000, settings.commandTimeout().toMillis()))
                .maxCloseWaitMs(CLOSE_WAIT_MILLIS)
                .waitForShutdownTimeoutMs(CLOSE_WAIT_MILLIS)
                .retryPolicy(new RetryOneTime(1))
                .ensembleTracker(false)
                // Curator would keep a thread of its own for this, and not end it.
                .runSafeService(Runnable::run)
                .zookeeperFactory(this::driver);
        settings.digest().ifPresent(d -> builder.authorization("digest", d.getBytes(StandardCharsets.UTF_8)));
        curator = builder.build();
        curator.getConnectionStateListenable().addListener((client, state) -> stateChanged(state));
        curator.start();
    }

    private ZooKeeper driver(String servers, int sessionMillis, Watcher watcher, boolean readOnly) throws IOException {
        Hosts hosts = new Hosts(new ConnectStringParser(servers).getServerAddresses(), () -> nobody.complete(null));
        return new ZooKeeper(servers, sessionMillis, watcher, readOnly, hosts, settings.driver());
    }

    private void stateChanged(ConnectionState state) {
        LOG.debug("{} is {}", settings, state);
        if (state == ConnectionState.LOST) {
            endSession();
        } else if (state.isConnected()) {
            adopt();
        }
    }

    private void endSession() {
        ZkSession old;
        synchronized (this) {
            old = session;
            session = null;
        }
        if (old != null) {
            old.end();
            onEnd.accept(old);
        }
    }

    private void adopt() {
        ZkSession made;
        try {
            ZooKeeper handle = curator.getZookeeperClient().getZooKeeper();
            ZkSession old = session;
            if (closed) {
                return;
            }
            if (old != null && old.isOn(handle) && !old.isEnded()) {
                onReconnect.accept(old);
                return;
            }
            endSession();
            made = new ZkSession(handle, settings.clock(), settings.acl());
            session = made;
        } catch (Exception e) {
            LOG.warn("{}: no session yet", settings, e);
            return;
        }
        if (!made.timeout().equals(settings.session())) {
            LOG.warn(
                    "{}: asked for a session of {} ms, the server granted {} ms",
                    settings,
                    settings.session().toMillis(),
                    made.timeout().toMillis());
        }
        onSession.accept(made);
        first.complete(made);
    }

    /** The time of the present session, if there is one: the server may have changed what was asked for. */
    Optional<Duration> grantedTime() {
        return Optional.ofNullable(session).map(ZkSession::timeout);
    }

    /**
     * The connected session. At the start it waits for the first connection, most of the command timeout, unless no server listens; later it fails at
     * once.
     *
     * @return a session, or {@link BackendUnavailableException}
     */
    CompletableFuture<ZkSession> session() {
        boolean hadOne = first.isDone(); // asked before the session itself, which may come meanwhile
        ZkSession now = session;
        if (now != null && now.isConnected()) {
            return checked(now);
        }
        if (closed || hadOne || nobody.isDone()) {
            String why = hadOne ? "the connection is lost" : "no server takes the connection";
            return CompletableFuture.failedFuture(away(closed ? "the client is closed" : why));
        }
        CompletableFuture<ZkSession> waiting = new CompletableFuture<>();
        Duration patience = settings.commandTimeout().multipliedBy(9).dividedBy(10);
        LockClock.Timer timer = settings.clock()
                .schedule(
                        patience.toNanos(),
                        () -> waiting.completeExceptionally(
                                away("no server has answered so far (the log of org.apache.zookeeper tells why)")));
        first.whenComplete((made, failed) -> waiting.complete(made));
        nobody.whenComplete((done, failed) -> waiting.completeExceptionally(away("no server takes the connection")));
        ended.whenComplete((done, failed) -> waiting.completeExceptionally(away("the client is closed")));
        waiting.whenComplete((made, failed) -> timer.cancel());
        return waiting.thenCompose(this::checked);
    }

    private CompletableFuture<ZkSession> checked(ZkSession made) {
        if (settings.strictSession() && !made.timeout().equals(settings.session())) {
            return CompletableFuture.failedFuture(
                    away("option strict-session is set and the server granted a session of "
                            + made.timeout().toMillis() + " ms, asked for "
                            + settings.session().toMillis() + " ms"));
        }
        return CompletableFuture.completedFuture(made);
    }

    private BackendUnavailableException away(String why) {
        return new BackendUnavailableException(settings + " cannot be used: " + why, null);
    }

    private void disconnect() {
        curator.close();
        ZkTls.clear(settings.driver());
    }

    /** Ends the session on the server if it can be reached within the bound; the rest of the work goes on behind. */
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        ended.complete(null);
        Thread closer = new Thread(this::disconnect, "fencedlock-zookeeper-close");
        closer.setDaemon(true);
        closer.start();
        boolean interrupted = false;
        try {
            closer.join(settings.commandTimeout().toMillis() + 2L * CLOSE_WAIT_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        endSession();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
