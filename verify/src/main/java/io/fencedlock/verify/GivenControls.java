package io.fencedlock.verify;

import io.fencedlock.compliance.ControlMissing;
import io.fencedlock.compliance.Controls;
import io.fencedlock.servers.Contents;
import io.fencedlock.servers.Store;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Servers of the user's who allows faults: their processes are out of reach, their contents are not. Keys of others are left alone. Members of
 * an ensemble have all the same, so the first one that answers is asked; Redis servers of a Redlock have each its own.
 */
record GivenControls(List<Contents> servers, boolean alike, Layout layout, String prefix) implements Controls {

    private static final Pattern PLAIN =
            Pattern.compile("(redis|redlock|zookeeper|etcd)://([^@/?]+)(/[^?]*?)?/*(?:\\?(.*))?");
    private static final Pattern HOST = Pattern.compile("(\\[[^\\]]+]|[^:]+)(?::(\\d+))?");
    private static final Pattern OTHER_KEYS = Pattern.compile("(^|&)(prefix|database|user|password)=");
    private static final Map<Store, Integer> PORTS = Map.of(Store.REDIS, 6379, Store.ZOOKEEPER, 2181, Store.ETCD, 2379);
    private static final String BUT =
            ": keys are seen on plain servers only, without TLS, password, number of a database or own prefix, and not through"
                    + " Sentinels or a Redis Cluster";

    /** Hooks that say why there are none. */
    private static final Controls OUT_OF_SIGHT = new Controls() {
        @Override
        public void loseCounter() {
            throw new ControlMissing("delete the counter that tokens are made from" + BUT);
        }

        @Override
        public long entries() {
            throw new ControlMissing("count the entries on the server" + BUT);
        }
    };

    static Controls of(String url) {
        Matcher plain = PLAIN.matcher(url);
        if (!plain.matches() || OTHER_KEYS.matcher(text(plain.group(4))).find()) {
            return OUT_OF_SIGHT;
        }
        Store store = plain.group(1).equals("redlock")
                ? Store.REDIS
                : Arrays.stream(Store.values())
                        .filter(s -> s.scheme().equals(plain.group(1)))
                        .findFirst()
                        .orElseThrow();
        List<Optional<InetSocketAddress>> hosts = Arrays.stream(plain.group(2).split(",", -1))
                .map(host -> address(host, PORTS.getOrDefault(store, 0)))
                .toList();
        String path = text(plain.group(3));
        if (hosts.stream().anyMatch(Optional::isEmpty) || (store == Store.REDIS && !path.isEmpty())) {
            return OUT_OF_SIGHT;
        }
        String own = store == Store.ETCD && !path.isEmpty() ? path.substring(1) : path;
        return new GivenControls(
                hosts.stream()
                        .flatMap(Optional::stream)
                        .map(host -> Contents.of(store, host))
                        .toList(),
                store != Store.REDIS,
                Layout.of(store),
                own.isEmpty() ? Layout.defaultPrefix(store) : own);
    }

    private static String text(@Nullable String group) {
        return group == null ? "" : group;
    }

    private static Optional<InetSocketAddress> address(String host, int port) {
        Matcher parts = HOST.matcher(host);
        return parts.matches()
                ? Optional.of(new InetSocketAddress(
                        parts.group(1), parts.group(2) == null ? port : Integer.parseInt(parts.group(2))))
                : Optional.empty();
    }

    @Override
    public void loseCounter() {
        onKeepers(server -> {
            layout.loseCounter(server, prefix);
            return 0;
        });
    }

    @Override
    public long entries() {
        return onKeepers(server -> layout.entries(server, prefix));
    }

    private long onKeepers(ToLongFunction<Contents> action) {
        if (!alike) {
            return servers.stream().mapToLong(action).sum();
        }
        UncheckedIOException silent = null;
        for (Contents server : servers) {
            try {
                return action.applyAsLong(server);
            } catch (UncheckedIOException e) {
                silent = e;
            }
        }
        throw silent == null ? new IllegalStateException("a URL without a host") : silent;
    }
}
