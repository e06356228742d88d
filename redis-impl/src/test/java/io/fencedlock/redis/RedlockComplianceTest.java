package io.fencedlock.redis;

import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.FencedLockCompliance;
import io.fencedlock.servers.Topology;
import io.fencedlock.verify.ServerTarget;

/** The published suite on five independent nodes. */
class RedlockComplianceTest extends FencedLockCompliance {

    @Override
    protected ComplianceTarget target() {
        return ServerTarget.of(ServerTarget.cluster(Topology.REDLOCK));
    }
}
