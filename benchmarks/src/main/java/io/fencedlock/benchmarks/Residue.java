package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;

/**
 * What is on a server.
 *
 * @param entries keys, or znodes
 * @param leases etcd leases; -1 on other stores
 */
record Residue(long entries, long leases) {

    static Residue of(Server server) {
        return switch (server.store()) {
            case REDIS -> new Residue(ServerCounter.number(server, "keys=(\\d+)"), -1);
            case ZOOKEEPER -> new Residue(ServerCounter.number(server, "zk_znode_count\\s+(\\d+)"), -1);
            case ETCD ->
                new Residue(
                        ServerCounter.number(server, "(?m)^etcd_debugging_mvcc_keys_total (\\S+)"),
                        ServerCounter.number(server, "(?m)^etcd_debugging_lease_granted_total (\\S+)")
                                - ServerCounter.number(server, "(?m)^etcd_debugging_lease_revoked_total (\\S+)"));
            default -> throw new IllegalArgumentException("no lock on " + server.store());
        };
    }
}
