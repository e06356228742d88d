package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;

/** The znodes below the root; those of ZooKeeper itself are left out. */
record ZooKeeperContents(InetSocketAddress server) implements Contents {

    private static final String OWN = "zookeeper";

    @Override
    public Set<String> keys() {
        try (RawZooKeeper session = new RawZooKeeper(server)) {
            Set<String> paths = new HashSet<>();
            for (String child : session.children("/")) {
                if (!child.equals(OWN)) {
                    add(session, "/" + child, paths);
                }
            }
            return paths;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(RawZooKeeper session, String path, Set<String> to) throws IOException {
        to.add(path);
        for (String child : session.children(path)) {
            add(session, path + "/" + child, to);
        }
    }

    @Override
    public void delete(String key) {
        try (RawZooKeeper session = new RawZooKeeper(server)) {
            deleteTree(session, key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteTree(RawZooKeeper session, String path) throws IOException {
        for (String child : session.children(path)) {
            deleteTree(session, path + "/" + child);
        }
        session.delete(path);
    }
}
