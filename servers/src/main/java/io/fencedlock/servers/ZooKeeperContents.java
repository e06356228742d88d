package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The znodes below the root; those of ZooKeeper itself are left out. */
record ZooKeeperContents(InetSocketAddress server) implements Contents {

    private static final String OWN = "/zookeeper";

    @Override
    public Set<String> keys() {
        try (RawZooKeeper session = new RawZooKeeper(server)) {
            return new HashSet<>(below(session, ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Level by level, each parent before its children. */
    private static List<String> below(RawZooKeeper session, String path) throws IOException {
        List<String> all = new ArrayList<>();
        List<String> level = List.of(path);
        while (!level.isEmpty()) {
            List<List<String>> names = session.children(level.stream()
                    .map(parent -> parent.isEmpty() ? "/" : parent)
                    .toList());
            List<String> next = new ArrayList<>();
            for (int i = 0; i < level.size(); i++) {
                for (String name : names.get(i)) {
                    next.add(level.get(i) + "/" + name);
                }
            }
            next.remove(OWN);
            all.addAll(next);
            level = next;
        }
        return all;
    }

    @Override
    public void delete(String key) {
        try (RawZooKeeper session = new RawZooKeeper(server)) {
            List<String> paths = new ArrayList<>(List.of(key));
            paths.addAll(below(session, key));
            Collections.reverse(paths);
            session.delete(paths);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
