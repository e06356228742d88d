package io.fencedlock.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The snippets of docs/fencing.md for etcd; the test of this name in jdbc-impl compares them with the page. */
class FencingDocTest {

    @Test
    void snippets() throws Exception {
        ByteSequence key = ByteSequence.from("invoice-1041", UTF_8);
        ByteSequence draft = ByteSequence.from("draft-1041", UTF_8);
        ByteSequence sent = ByteSequence.from("sent", UTF_8);
        ByteSequence paid = ByteSequence.from("paid", UTF_8);
        try (Server server = Servers.start(Store.ETCD);
                Client client = Client.builder()
                        .endpoints(server.url().replace("etcd://", "http://"))
                        .build();
                FencedLocks locks = FencedLocks.connect(server.url() + "?command-timeout=5s")) {
            FencedLock lock = locks.get("invoice-1041");
            // snippet: etcd
            EtcdFence fence = EtcdFence.on(client, Duration.ofSeconds(5)); // yours; or EtcdFence.connect("etcd://…")

            try (Lease lease = lock.acquire()) {
                fence.writer(lease)
                        .commit(Op.put(key, sent, PutOption.DEFAULT), Op.delete(draft, DeleteOption.DEFAULT));
            }
            // end
            assertThat(fence.mark("invoice-1041")).isPresent();
            try (Lease lease = lock.acquire()) {
                // snippet: etcd-guard
                EtcdGuard guard = EtcdGuard.on(client, Duration.ofSeconds(5));
                guard.writer(lease).commit(Op.put(key, paid, PutOption.DEFAULT)); // or LeaseLostException
                // end
            }
            assertThat(client.getKVClient().get(key).get().getKvs().get(0).getValue())
                    .isEqualTo(paid);
        }
    }
}
