package io.fencedlock.compliance;

import io.fencedlock.FencedLocks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What can be done to a store known by its URL without touching the server: holders in their own processes, a proxy between a client
 * and the server. What needs the server is asked of further hooks.
 */
final class UrlControls implements Controls {

    private final String url;
    private final Controls more;
    private final Map<FencedLocks, List<Gate>> gates = new ConcurrentHashMap<>();

    UrlControls(String url, Controls more) {
        this.url = url;
        this.more = more;
    }

    @Override
    public HolderProcess startHolder(Duration lease) {
        return new WorkerHolder(UrlTarget.withLease(url, lease), url);
    }

    @Override
    public FencedLocks openUnreachable(Duration lease) {
        requireHosts("a server that does not exist");
        List<ServerSocket> free = new ArrayList<>();
        try {
            for (int i = Urls.hosts(url).split(",", -1).length; i > 0; i--) {
                free.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            for (ServerSocket one : free) {
                one.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String hosts =
                free.stream().map(one -> "127.0.0.1:" + one.getLocalPort()).collect(Collectors.joining(","));
        return UrlTarget.open(Urls.at(url, hosts), lease);
    }

    private void requireHosts(String what) {
        if (Urls.hosts(url).isEmpty()) {
            throw new NotApplicable(
                    "a " + Urls.scheme(url) + " URL names no host, so there is no connection, nor " + what);
        }
    }

    @Override
    public FencedLocks openBreakable(Duration lease) {
        requireHosts("one that breaks");
        String scheme = Urls.scheme(url);
        if (scheme.contains("cluster") || scheme.contains("sentinel")) {
            return openFurther(scheme, lease);
        }
        List<Gate> opened = new ArrayList<>();
        List<String> hosts = new ArrayList<>();
        for (String host : Urls.hosts(url).split(",", -1)) {
            Gate gate = new Gate(host, scheme);
            opened.add(gate);
            hosts.add("127.0.0.1:" + gate.port());
        }
        FencedLocks client = UrlTarget.open(Urls.at(url, String.join(",", hosts)), lease);
        gates.put(client, opened);
        return client;
    }

    private FencedLocks openFurther(String scheme, Duration lease) {
        try {
            return more.openBreakable(lease);
        } catch (ControlMissing e) {
            throw new ControlMissing(
                    "break connections of a " + scheme + " client: it learns its servers' addresses by itself");
        }
    }

    @Override
    public void stall(FencedLocks client) {
        on(client, Gate::stall, more::stall);
    }

    @Override
    public void heal(FencedLocks client) {
        on(client, Gate::heal, more::heal);
    }

    @Override
    public void kill(FencedLocks client) {
        on(client, Gate::kill, more::kill);
    }

    @Override
    public void loseNextReply(FencedLocks client) {
        AtomicBoolean taken = new AtomicBoolean();
        on(client, gate -> gate.loseNextReply(taken), more::loseNextReply);
    }

    private void on(FencedLocks client, Consumer<Gate> gate, Consumer<FencedLocks> further) {
        List<Gate> opened = gates.get(client);
        if (opened == null) {
            further.accept(client);
        } else {
            opened.forEach(gate);
        }
    }

    /** How often a client from {@link #openBreakable} asked and waited for an answer so far. */
    int roundTrips(FencedLocks client) {
        return gates.getOrDefault(client, List.of()).stream()
                .mapToInt(Gate::roundTrips)
                .sum();
    }

    @Override
    public void restartServer(boolean keepData) {
        more.restartServer(keepData);
    }

    @Override
    public void holdReplication() {
        more.holdReplication();
    }

    @Override
    public void mend() {
        more.mend();
    }

    @Override
    public void failOver() {
        more.failOver();
    }

    @Override
    public void loseCounter() {
        more.loseCounter();
    }

    @Override
    public void stepClock(Duration by) {
        more.stepClock(by);
    }

    @Override
    public long entries() {
        return more.entries();
    }

    @Override
    public boolean disposable() {
        return more.disposable();
    }

    @Override
    public void close() {
        gates.values().forEach(opened -> opened.forEach(Gate::close));
        more.close();
    }
}
