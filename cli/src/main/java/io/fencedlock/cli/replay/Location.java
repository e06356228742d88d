package io.fencedlock.cli.replay;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL of one plain server, for what is done without the library.
 *
 * @param scheme redis, zookeeper or etcd
 * @param user the part before the @, with it, or empty
 * @param address where the server listens
 * @param rest path and options
 */
record Location(String scheme, String user, InetSocketAddress address, String rest) {
    private static final List<String> SCHEMES = List.of("redis", "zookeeper", "etcd");
    private static final List<Integer> PORTS = List.of(6379, 2181, 2379);
    private static final Pattern URL =
            Pattern.compile("(redis|zookeeper|etcd)://([^@/?]*@)?([^/?,:]+|\\[[^\\]]+])(?::([0-9]+))?([/?].*)?");

    /** Empty for a cluster, for TLS, and for a login that the bare drivers would need code for. */
    static Optional<Location> of(String url) {
        Matcher matcher = URL.matcher(url);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String scheme = matcher.group(1);
        String user = text(matcher.group(2));
        String port = matcher.group(4);
        int number = port == null ? PORTS.get(SCHEMES.indexOf(scheme)) : Integer.parseInt(port);
        return Optional.of(
                new Location(scheme, user, new InetSocketAddress(matcher.group(3), number), text(matcher.group(5))));
    }

    private static String text(@Nullable String group) {
        return group == null ? "" : group;
    }

    /** The bare drivers log in to Redis only. */
    boolean loginIsSimple() {
        return user.isEmpty() || scheme.equals("redis");
    }

    /** Whether the library stands where it stands by default. */
    boolean hasDefaultPrefix() {
        return !rest.contains("prefix=") && (scheme.equals("redis") || !rest.matches("/[^?].*"));
    }

    String hostAndPort() {
        return address.getHostString() + ":" + address.getPort();
    }

    /** As a URL, with another address in its place. */
    String url(InetSocketAddress instead) {
        return scheme + "://" + user + instead.getHostString() + ":" + instead.getPort() + rest;
    }

    String url() {
        return url(address);
    }
}
