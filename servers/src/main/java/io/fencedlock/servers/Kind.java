package io.fencedlock.servers;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What differs from store to store: configuration and command line, and the first words of the protocol. */
interface Kind {
    static Kind of(Store store) {
        return switch (store) {
            case REDIS -> new RedisKind();
            case ZOOKEEPER -> new ZooKeeperKind();
            case ETCD -> new EtcdKind();
            case POSTGRESQL -> new PostgreSqlKind();
            case MARIADB -> new MariaDbKind();
        };
    }

    Store store();

    /** Arguments after the program's name, and the files that must lie in the node's folders of files and of data. */
    record Plan(List<String> arguments, Map<String, byte[]> files, Map<String, byte[]> dataFiles) {}

    Plan plan(Node node, ServerOptions options);

    /** Whether a server at the address answers and is ready; false within about a second otherwise. */
    boolean answers(InetSocketAddress address);

    /** The version as the server tells it. */
    Optional<String> version(InetSocketAddress address);

    /** What is stored on the server at the address. */
    default Contents contents(InetSocketAddress address) {
        throw new UnsupportedOperationException(store().title() + " stores rows, not keys: look at them with JDBC");
    }
}
