package io.fencedlock.redis;

import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.compliance.FencedLockCompliance;
import io.fencedlock.servers.Store;
import io.fencedlock.verify.ServerTarget;

/** The published suite on a server that may be harmed. */
class RedisComplianceTest extends FencedLockCompliance {

    @Override
    protected ComplianceTarget target() {
        return ServerTarget.start(Store.REDIS);
    }
}
