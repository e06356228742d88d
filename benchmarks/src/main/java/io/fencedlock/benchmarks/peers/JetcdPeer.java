package io.fencedlock.benchmarks.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.GetOption;
import io.fencedlock.BackendProfile;
import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.TokenSurvival;
import io.fencedlock.compliance.NotApplicable;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;

/** jetcd's Lock, which is etcd's own lock service; its token is the revision in the answer. */
final class JetcdPeer implements Peer {

    /** What a lock lives on. */
    enum Use {
        /** An etcd lease for each acquisition, kept alive, and revoked at its end or when the wait is over. */
        LEASE_EACH,
        /** One etcd lease for the client, kept alive, as etcd's own sessions have it. */
        LEASE_SHARED
    }

    private final Use use;

    JetcdPeer(Use use) {
        this.use = use;
    }

    @Override
    public Store store() {
        return Store.ETCD;
    }

    @Override
    public String versions() {
        return Versions.of(Client.class, "io.etcd", "jetcd-core");
    }

    @Override
    public BackendProfile profile() {
        boolean each = use == Use.LEASE_EACH;
        return BackendProfile.of("jetcd", "revision in the lock's answer")
                .lease(Duration.ofSeconds(3), Duration.ofSeconds(1)) // it shows what is left in whole seconds
                .liveness(each ? LeaseScope.PER_LOCK : LeaseScope.PER_SESSION, Duration.ofSeconds(2))
                .waiting(QueueOrder.FIFO, Duration.ofSeconds(2))
                .tokensSurvive(EnumSet.allOf(TokenSurvival.class))
                .build();
    }

    private static Client connect(InetSocketAddress server) {
        return Client.builder()
                .endpoints("http://127.0.0.1:" + server.getPort())
                .build();
    }

    @Override
    public PeerClient open(InetSocketAddress server, Duration lease, boolean reachable) {
        return new JetcdPeerClient(connect(server), lease, use);
    }

    @Override
    public long entries(Server server) throws Exception {
        try (Client client = connect(server.address())) {
            ByteSequence all = ByteSequence.from("suite-", UTF_8);
            return client.getKVClient()
                    .get(
                            all,
                            GetOption.builder()
                                    .isPrefix(true)
                                    .withCountOnly(true)
                                    .build())
                    .get(10, TimeUnit.SECONDS)
                    .getCount();
        }
    }

    @Override
    public void loseCounter(Server server) {
        throw new NotApplicable("etcd's revision cannot be deleted");
    }
}
