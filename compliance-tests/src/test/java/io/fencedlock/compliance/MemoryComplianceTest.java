package io.fencedlock.compliance;

class MemoryComplianceTest extends FencedLockCompliance {

    @Override
    protected ComplianceTarget target() {
        return ComplianceTarget.memory();
    }
}
