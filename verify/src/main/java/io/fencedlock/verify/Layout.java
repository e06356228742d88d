package io.fencedlock.verify;

import io.fencedlock.compliance.NotApplicable;
import io.fencedlock.servers.Contents;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which keys of a store are what, as the storage format of its backend has it.
 *
 * @param entry keys of locks in use, behind the user's prefix
 * @param counter keys from which tokens are made, behind the user's prefix; a deleted znode takes what is below it along
 * @param clock why the server's wall clock cannot be stepped
 */
record Layout(Pattern entry, Pattern counter, String clock) {

    private static final String STEPPING =
            "the clock of this server cannot be stepped: that needs a process of this machine, and a C compiler (cc)";
    private static final Layout REDIS =
            of("1:\\{\\d+}:(?!register:|counter$).*", "1:(\\{\\d+}:counter|redlock)", STEPPING);
    private static final Layout ZOOKEEPER = of("/v1/locks/\\d+/.+", "/v1/(base|locks)", STEPPING);
    private static final Layout ETCD = of(
            "/locks/.+",
            "/base",
            "etcd's server ends leases by a monotonic clock, and asks the system for the time past every library");

    private static Layout of(String entry, String counter, String clock) {
        return new Layout(Pattern.compile(entry), Pattern.compile(counter), clock);
    }

    static Layout of(Store store) {
        return switch (store) {
            case REDIS -> REDIS;
            case ZOOKEEPER -> ZOOKEEPER;
            case ETCD -> ETCD;
            case POSTGRESQL, MARIADB ->
                throw new IllegalArgumentException("locks are on redis, zookeeper and etcd, not on " + store.scheme());
        };
    }

    /** What keys begin with unless the URL says otherwise. */
    static String defaultPrefix(Store store) {
        return switch (store) {
            case REDIS -> "fencedlock:";
            case ZOOKEEPER -> "/fencedlock";
            default -> "fencedlock";
        };
    }

    long entries(Contents contents, String prefix) {
        return keys(contents, prefix, entry).count();
    }

    void loseCounter(Contents contents, String prefix) {
        keys(contents, prefix, counter).forEach(contents::delete);
    }

    /** Steps the clock of a server that may be harmed. */
    void stepClock(Server server, Duration by) {
        try {
            server.stepClock(by);
        } catch (UnsupportedOperationException e) {
            throw new NotApplicable(clock);
        }
    }

    private static Stream<String> keys(Contents contents, String prefix, Pattern rest) {
        return contents.keys().stream()
                .filter(key -> key.startsWith(prefix))
                .filter(key -> rest.matcher(key.substring(prefix.length())).matches());
    }
}
