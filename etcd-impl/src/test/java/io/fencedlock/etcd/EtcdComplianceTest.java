package io.fencedlock.etcd;

import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.FencedLockCompliance;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import org.junit.jupiter.api.AfterAll;

class EtcdComplianceTest extends FencedLockCompliance {

    private static Server server;

    @Override
    protected ComplianceTarget target() {
        server = Servers.start(Store.ETCD);
        return ComplianceTarget.of("etcd", server.url());
    }

    @AfterAll
    static void stop() {
        server.close();
    }
}
