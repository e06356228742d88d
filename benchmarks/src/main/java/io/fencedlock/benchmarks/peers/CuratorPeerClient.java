package io.fencedlock.benchmarks.peers;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockOptions;
import io.fencedlock.OutcomeUnknownException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.curator.CuratorConnectionLossException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.KeeperException;

/** A Curator client with the listener that the recipes' documentation strongly recommends: SUSPENDED is doubt, LOST is the end. */
final class CuratorPeerClient implements PeerClient {

    private final CuratorFramework client;
    private final Duration session;
    private final CuratorPeer.Use use;
    private final Callable<CuratorFramework> another;
    private final Set<CuratorHold> holds = ConcurrentHashMap.newKeySet();
    private volatile boolean suspended;

    CuratorPeerClient(
            CuratorFramework client, Duration session, CuratorPeer.Use use, Callable<CuratorFramework> another) {
        this.client = client;
        this.session = session;
        this.use = use;
        this.another = another;
        client.getConnectionStateListenable().addListener((ignored, state) -> changed(state));
    }

    private void changed(ConnectionState state) {
        suspended = !state.isConnected();
        if (state == ConnectionState.LOST) {
            holds.forEach(CuratorHold::lose);
        }
    }

    boolean suspended() {
        return suspended;
    }

    Duration session() {
        return session;
    }

    CuratorFramework curator() {
        return client;
    }

    void holds(CuratorHold hold) {
        holds.add(hold);
    }

    void holdsNoMore(CuratorHold hold) {
        holds.remove(hold);
    }

    /** One path element for each name: Curator knows paths, no names. */
    static String path(String name) {
        return CuratorPeer.ROOT + "/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("*", "%2A");
    }

    @Override
    public PeerMutex mutex(String name, LockOptions options) {
        if (options.renewed()) {
            return use == CuratorPeer.Use.CALLING_THREAD
                    ? new CallingThreadMutex(this, name)
                    : new OwnThreadMutex(this, name, () -> {});
        }
        if (use != CuratorPeer.Use.ENDED_SESSION) {
            throw new UnsupportedOperationException(
                    "its locks live as long as the client's session, not for a lease time");
        }
        return new EndedSessionMutex(name, options.lease(), another);
    }

    private Optional<String> first(String name) throws Exception {
        try {
            List<String> contenders = client.getChildren().forPath(path(name));
            return contenders.stream().min(Comparator.comparing(CuratorHold::sequence));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<HolderInfo> inspect(String name) throws Exception {
        return first(name)
                .map(node -> new HolderInfo(
                        CuratorHold.holder(node),
                        CuratorHold.sequence(node) + 1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalInt.empty()));
    }

    @Override
    public void remove(String name) throws Exception {
        String node = first(name).orElseThrow();
        client.delete().forPath(path(name) + "/" + node);
    }

    /** A loss of the connection before anything was sent has an exception of its own. */
    @Override
    public RuntimeException translated(Throwable thrown) {
        if (thrown instanceof CuratorConnectionLossException) {
            return new BackendUnavailableException(String.valueOf(thrown.getMessage()), thrown);
        } else if (thrown instanceof KeeperException) {
            return new OutcomeUnknownException(String.valueOf(thrown.getMessage()), thrown);
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }

    @Override
    public void close() {
        client.close();
    }
}
