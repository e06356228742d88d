package io.fencedlock.servers;

import java.util.List;

/** The sentences for whoever has no server. */
final class Advice {
    private Advice() {}

    static String nothingFound(Store store, ServerOptions options, List<String> reasons) {
        String what =
                store.title() + options.version().map(version -> " " + version).orElse("");
        return "no " + what + " server could be had: " + String.join("; ", reasons)
                + (hasImage(store) ? ". Three" : ". Two") + " ways to get one: give the address of a running one (-D"
                + store.addressProperty() + "=" + store.scheme() + "://host:port or " + store.addressVariable()
                + "), " + (hasImage(store) ? "start Docker, or " : "or ")
                + lastWay(store) + ".";
    }

    private static boolean hasImage(Store store) {
        return Way.existing(store).contains(Way.DOCKER);
    }

    static String noCluster(Topology topology, List<String> reasons) {
        return "no " + topology + " cluster could be had: " + String.join("; ", reasons) + ". To get one, "
                + lastWay(topology.store()) + ".";
    }

    private static String lastWay(Store store) {
        return switch (store) {
            case REDIS -> "put redis-server on the PATH (Debian, Ubuntu: apt install redis-server)";
            case ETCD -> "put etcd on the PATH (Debian, Ubuntu: apt install etcd-server)";
            case POSTGRESQL ->
                "put postgres on the PATH or below /usr/lib/postgresql (Debian, Ubuntu: apt install postgresql)";
            case MARIADB -> "put mariadbd on the PATH (Debian, Ubuntu: apt install mariadb-server)";
            case ZOOKEEPER ->
                "put org.apache.zookeeper:zookeeper with its dependencies, metrics-core and snappy-java on the class path";
        };
    }
}
