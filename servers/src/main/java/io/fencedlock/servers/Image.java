package io.fencedlock.servers;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The image of a store's server, and how its program is called in it: the official images, unless the property
 * {@code fencedlock.servers.redis.image} (with a version asked for: {@code fencedlock.servers.redis.image.7}) names another one.
 *
 * @param name the image with its tag
 * @param command the words before the server's arguments
 */
record Image(String name, List<String> command) {
    private static final Map<String, String> ETCD_PATCH =
            Map.of("", "3.5.21", "3.4", "3.4.37", "3.5", "3.5.21", "3.6", "3.6.1");

    static Image of(Store store, Optional<String> version) {
        String property =
                store.addressProperty() + ".image" + version.map(v -> "." + v).orElse("");
        return new Image(Settings.get(property).orElseGet(() -> official(store, version.orElse(""))), command(store));
    }

    /** Whether this is an image of ours to choose, which anybody may pull. */
    boolean isOfficial(Store store, Optional<String> version) {
        return name.equals(official(store, version.orElse("")));
    }

    private static String official(Store store, String version) {
        return switch (store) {
            case REDIS -> "redis:" + (version.isEmpty() ? "7" : version);
            case ZOOKEEPER -> "zookeeper:" + (version.isEmpty() ? "3.9" : version);
            case POSTGRESQL, MARIADB -> throw noImage(store);
            case ETCD ->
                "quay.io/coreos/etcd:v" + ETCD_PATCH.getOrDefault(version, version); // has no tags of minor versions
        };
    }

    private static List<String> command(Store store) {
        return switch (store) {
            case REDIS -> List.of("redis-server");
            case ETCD -> List.of("etcd");
            case POSTGRESQL, MARIADB -> throw noImage(store);
            case ZOOKEEPER -> List.of("zkServer.sh", "start-foreground");
        };
    }

    private static IllegalArgumentException noImage(Store store) {
        return new IllegalArgumentException(store.title() + " is not started in a container");
    }
}
