package io.fencedlock.servers;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Proxies for one client of a cluster, so that its connections break and nobody else's. Clients of Sentinels and of a Redis Cluster learn
 * addresses from replies: there the nodes' ports are replaced by the proxies', so that the client stays on the detour. Thread-safe.
 */
public final class Detour implements AutoCloseable {
    /** As RESP has an address: two bulk strings (Sentinel), or in text (CLUSTER NODES, MOVED). All ports have as many digits. */
    private static final Pattern PORT = Pattern.compile("(?<=127\\.0\\.0\\.1(?::|\r\n\\$5\r\n))\\d{5}");

    private final Map<String, FaultProxy> proxies = new ConcurrentHashMap<>();
    private final List<OwnServer> nodes;
    private final String url;

    Detour(Cluster cluster, List<OwnServer> nodes, List<OwnServer> others) {
        this.nodes = nodes;
        nodes.forEach(this::add);
        others.forEach(this::add);
        url = translated(cluster.url());
    }

    private void add(OwnServer server) {
        proxies.computeIfAbsent(
                port(server),
                port -> FaultProxy.translating(Ports.onLoopback(server.announcedPort()), this::translate));
    }

    private static String port(OwnServer server) {
        return Integer.toString(server.announcedPort());
    }

    private byte[] translate(byte[] reply) {
        String text = new String(reply, StandardCharsets.ISO_8859_1);
        return text.contains("127.0.0.1") ? translated(text).getBytes(StandardCharsets.ISO_8859_1) : reply;
    }

    private String translated(String text) {
        return PORT.matcher(text).replaceAll(found -> Matcher.quoteReplacement(detour(found.group())));
    }

    private String detour(String port) {
        FaultProxy proxy = proxies.get(port);
        return proxy == null ? port : Integer.toString(proxy.address().getPort());
    }

    /**
     * The cluster's URL by way of the proxies.
     *
     * @return for the one client
     */
    public String url() {
        return url;
    }

    /**
     * Sets the fault of all connections.
     *
     * @param fault what becomes of requests and replies
     */
    public void set(Fault fault) {
        proxies.values().forEach(proxy -> proxy.set(fault));
    }

    /** Ends all faults. */
    public void heal() {
        proxies.values().forEach(FaultProxy::heal);
    }

    /** Resets all open connections; the client may connect again at once. */
    public void cut() {
        proxies.values().forEach(FaultProxy::cut);
    }

    /**
     * Swallows the reply to one request to a node that holds data, and resets that connection; the request takes effect.
     *
     * @param wanted is asked for each piece of requests, as ISO 8859-1 text, until it says yes
     */
    public void loseReply(Predicate<String> wanted) {
        AtomicBoolean taken = new AtomicBoolean();
        for (OwnServer node : nodes) {
            FaultProxy proxy = proxies.get(port(node));
            if (proxy != null) {
                var unused = proxy.loseReplyAndCut(request -> wanted.test(request) && taken.compareAndSet(false, true));
            }
        }
    }

    /** Resets all connections and stops listening. */
    @Override
    public void close() {
        proxies.values().forEach(FaultProxy::close);
    }
}
