package io.fencedlock.benchmarks.peers;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.Controls;
import io.fencedlock.compliance.HolderProcess;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Fault;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One way to use a lock library, with the hooks that our own backends are tried by. The register, and so the fence, is ours. */
final class PeerTarget implements ComplianceTarget, Controls {

    /** All names of the suite begin so. */
    private static final String NAMES = "suite-";

    private final Way way;
    private final Server server;
    private final Map<FencedLocks, FaultProxy> proxies = new ConcurrentHashMap<>();

    PeerTarget(Way way) {
        this.way = way;
        server = Servers.start(way.peer().store(), ServerOptions.defaults().throwAway());
    }

    String server() {
        return way.peer().store().scheme() + " " + server.version();
    }

    @Override
    public String name() {
        return way.id();
    }

    @Override
    public FencedLocks open(Duration lease) {
        return open(server.address(), lease, true);
    }

    private FencedLocks open(InetSocketAddress address, Duration lease, boolean reachable) {
        return open(way, address, lease, reachable);
    }

    /** With the lease time asked for, or the smallest that the library knows. */
    static FencedLocks open(Way way, InetSocketAddress address, Duration asked, boolean reachable) {
        Duration smallest = way.peer().profile().smallestLease();
        Duration lease = asked.compareTo(smallest) < 0 ? smallest : asked;
        try {
            return new PeerLocks(
                    way.peer().open(address, lease, reachable), way.peer().profile(), lease);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a client of " + way.library() + " could not be opened", e);
        }
    }

    @Override
    public Optional<FencedRegister> openRegister() {
        return Optional.of(FencedLocks.configure().url(server.url()).openRegister());
    }

    @Override
    public Controls controls() {
        return this;
    }

    @Override
    public HolderProcess startHolder(Duration lease) {
        return new PeerHolder(way, server, lease);
    }

    @Override
    public FencedLocks openUnreachable(Duration lease) {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), lease, false);
    }

    @Override
    public FencedLocks openBreakable(Duration lease) {
        FaultProxy proxy = FaultProxy.inFrontOf(server);
        FencedLocks client = open(proxy.address(), lease, true);
        proxies.put(client, proxy);
        return client;
    }

    private FaultProxy proxy(FencedLocks client) {
        return Optional.ofNullable(proxies.get(client))
                .orElseThrow(() -> new IllegalArgumentException("the client is not from openBreakable"));
    }

    @Override
    public void stall(FencedLocks client) {
        proxy(client).set(Fault.stall());
    }

    @Override
    public void heal(FencedLocks client) {
        proxy(client).heal();
    }

    @Override
    public void kill(FencedLocks client) {
        proxy(client).cut();
    }

    /** Of the next request that names a lock: pings of sessions and watchdogs do not count. */
    @Override
    public void loseNextReply(FencedLocks client) {
        proxy(client).loseReplyAndCut(request -> request.contains(NAMES));
    }

    @Override
    public void restartServer(boolean keepData) {
        server.restart(keepData ? Data.KEEP : Data.WIPE);
    }

    @Override
    public void loseCounter() {
        try {
            way.peer().loseCounter(server);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the counter could not be deleted", e);
        }
    }

    @Override
    public long entries() {
        try {
            return way.peer().entries(server);
        } catch (Exception e) {
            throw new IllegalStateException("the entries could not be counted", e);
        }
    }

    @Override
    public void close() {
        proxies.values().forEach(FaultProxy::close);
        server.close();
    }
}
