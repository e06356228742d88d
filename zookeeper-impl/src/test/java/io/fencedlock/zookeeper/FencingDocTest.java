package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.junit.jupiter.api.Test;

/** The snippets of docs/fencing.md for ZooKeeper; the test of this name in jdbc-impl compares them with the page. */
class FencingDocTest {

    @Test
    void snippets() throws Exception {
        byte[] sent = {1};
        byte[] paid = {2};
        try (Server server = Servers.start(Store.ZOOKEEPER);
                CuratorFramework curator =
                        CuratorFrameworkFactory.newClient(Rig.hostAndPort(server.address()), new RetryForever(100));
                FencedLocks locks = FencedLocks.connect(server.url() + "?command-timeout=5s")) {
            curator.start();
            curator.create().creatingParentsIfNeeded().forPath("/invoices/1041");
            curator.create().creatingParentsIfNeeded().forPath("/drafts/1041");
            FencedLock lock = locks.get("invoice-1041");
            // snippet: zookeeper
            ZooKeeperFence fence = ZooKeeperFence.on(curator, Duration.ofSeconds(5)); // or connect("zookeeper://…")

            try (Lease lease = lock.acquire()) {
                fence.writer(lease)
                        .commit(
                                curator.transactionOp().setData().forPath("/invoices/1041", sent),
                                curator.transactionOp().delete().forPath("/drafts/1041"));
            }
            // end
            assertThat(fence.mark("invoice-1041")).isPresent();
            try (Lease lease = lock.acquire()) {
                // snippet: zookeeper-guard
                ZooKeeperGuard guard = ZooKeeperGuard.on(curator, Duration.ofSeconds(5));
                guard.writer(lease).commit(curator.transactionOp().setData().forPath("/invoices/1041", paid));
                // end
            }
            assertThat(curator.getData().forPath("/invoices/1041")).isEqualTo(paid);
        }
    }
}
