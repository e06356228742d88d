package io.fencedlock.compliance;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

class FileBackendComplianceTest extends FencedLockCompliance {

    @TempDir
    static Path directory;

    @Override
    protected ComplianceTarget target() {
        ManualClock clock =
                new ManualClock(); // with LockClock.system() and System::currentTimeMillis it takes a minute
        return new ComplianceTarget() {
            @Override
            public String name() {
                return "file";
            }

            @Override
            public FencedLocks open(Duration lease) {
                String time = lease.toMillis() + "ms";
                return FencedLocks.configure().option("lease", time).connect(backend(), clock);
            }

            @Override
            public Optional<FencedLockBackend> openBackend() {
                return Optional.of(backend());
            }

            private FencedLockBackend backend() {
                return new FileBackend(directory, () -> clock.nanos() / 1_000_000);
            }

            @Override
            public Pace pace() {
                return Pace.of(clock);
            }
        };
    }
}
