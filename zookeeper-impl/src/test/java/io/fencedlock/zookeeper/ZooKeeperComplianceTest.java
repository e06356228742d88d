package io.fencedlock.zookeeper;

import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.FencedLockCompliance;
import io.fencedlock.servers.Store;
import io.fencedlock.verify.ServerTarget;

/** The published suite on a server that may be harmed. */
class ZooKeeperComplianceTest extends FencedLockCompliance {

    @Override
    protected ComplianceTarget target() {
        return ServerTarget.start(Store.ZOOKEEPER);
    }
}
