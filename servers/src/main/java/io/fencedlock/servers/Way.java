package io.fencedlock.servers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The ways to a server, in the order in which they are tried. */
enum Way {
    /** A running server whose address the user gives. */
    ADDRESS,
    /** A container, when a Docker daemon answers. */
    DOCKER,
    /** A program on the PATH. */
    PATH,
    /** A package of the distribution, unpacked into the cache. */
    PACKAGE,
    /** ZooKeeper's own jar. */
    JAR;

    private static final String PROPERTY = "fencedlock.servers.ways";

    /**
     * The ways that exist for a store, or those of them which the property allows: {@code fencedlock.servers.ways=path,package}, for one
     * store {@code fencedlock.servers.ways.redis=package}.
     */
    static Set<Way> to(Store store) {
        Set<Way> ways = Settings.get(PROPERTY + "." + store.scheme())
                .or(() -> Settings.get(PROPERTY))
                .map(Way::parse)
                .orElse(EnumSet.allOf(Way.class));
        ways.retainAll(existing(store));
        return ways;
    }

    static Set<Way> existing(Store store) {
        return switch (store) {
            case REDIS, ETCD -> EnumSet.complementOf(EnumSet.of(JAR));
            case ZOOKEEPER -> EnumSet.complementOf(EnumSet.of(PATH, PACKAGE));
            case POSTGRESQL, MARIADB -> EnumSet.of(ADDRESS, PATH, PACKAGE);
        };
    }

    private static Set<Way> parse(String text) {
        Set<Way> ways = EnumSet.noneOf(Way.class);
        for (String word : text.split(",", -1)) {
            ways.add(named(word.strip())
                    .orElseThrow(() -> new IllegalArgumentException(PROPERTY + " knows "
                            + Arrays.stream(values())
                                    .map(way -> way.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(", "))
                            + "; found \""
                            + word.strip() + "\"")));
        }
        return ways;
    }

    private static Optional<Way> named(String word) {
        return Arrays.stream(values())
                .filter(way -> way.name().equalsIgnoreCase(word))
                .findFirst();
    }
}
