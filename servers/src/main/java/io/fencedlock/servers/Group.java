package io.fencedlock.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A group id of its own for each server of a cluster, by which the system tells whose packets are whose. Linux as root has it; elsewhere servers
 * keep the group of this JVM, and cannot be parted.
 */
record Group(int id) {
    private static final int FIRST = 1_000_000_000;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final boolean POSSIBLE = possible();

    /** A port has one owner at a time, and so has the group; empty where there can be none. */
    static Optional<Group> ofPort(int port) {
        return POSSIBLE ? Optional.of(new Group(FIRST + port)) : Optional.empty();
    }

    private static boolean possible() {
        List<String> command = new ArrayList<>(new Group(FIRST).prefix());
        command.add("true");
        return Shell.run(LIMIT, command).succeeded();
    }

    /** What comes before the command that starts the server. */
    List<String> prefix() {
        return List.of("setpriv", "--regid", Integer.toString(id), "--keep-groups");
    }

    /** What the group must not reach, in the words of {@code partition.sh}. */
    String barredFrom(Collection<Integer> ports) {
        return id + ":" + ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
