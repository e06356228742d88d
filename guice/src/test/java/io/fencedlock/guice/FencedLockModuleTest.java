package io.fencedlock.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.ProvisionException;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class FencedLockModuleTest {
    /** An application that knows no backend. */
    static final class Invoices {
        private final FencedLock lock;
        private final FencedLocks locks;

        @Inject
        Invoices(@Named("invoices") FencedLock lock, FencedLocks locks) {
            this.lock = lock;
            this.locks = locks;
        }

        long send() throws InterruptedException {
            try (Lease lease = lock.tryAcquire(Duration.ofSeconds(30)).orElseThrow()) {
                assertThat(locks.inspect("invoices").orElseThrow().token()).isEqualTo(lease.token());
                return lease.token();
            }
        }
    }

    private static void sendTwice(String url, String backend) throws InterruptedException {
        Properties properties = new Properties();
        properties.setProperty("fencedlock.url", url);
        Injector injector = Guice.createInjector(FencedLockModule.of(properties).lock("invoices"));
        try {
            Invoices invoices = injector.getInstance(Invoices.class);
            assertThat(invoices.locks.profile().backend()).isEqualTo(backend);
            assertThat(invoices.send()).isPositive().isLessThan(invoices.send());
        } finally {
            FencedLockModule.close(injector);
        }
    }

    @Test
    void theBackendIsChosenByConfigurationAlone() throws InterruptedException {
        sendTwice("memory:", "memory");
        try (Server redis = Servers.start(Store.REDIS)) {
            sendTwice(redis.url(), "redis");
        }
    }

    @Test
    void closeEndsTheClientAndOpensNone() {
        Injector used = Guice.createInjector(FencedLockModule.of("memory:").lock("a", "b"));
        FencedLocks locks = used.getInstance(FencedLocks.class);
        assertThat(used.getInstance(FencedLocks.class)).isSameAs(locks);
        FencedLockModule.close(used);
        FencedLockModule.close(used);
        assertThatThrownBy(() -> locks.inspect("a")).isInstanceOf(IllegalStateException.class);

        Injector unused = Guice.createInjector(FencedLockModule.of("nonsense:"));
        FencedLockModule.close(unused);
    }

    @Test
    void wrongConfigurationIsToldAtTheFirstInjection() {
        Injector injector = Guice.createInjector(FencedLockModule.of("nonsense:"));
        assertThatThrownBy(() -> injector.getInstance(FencedLocks.class))
                .isInstanceOf(ProvisionException.class)
                .hasCauseInstanceOf(LockConfigurationException.class);
        assertThatThrownBy(() -> FencedLockModule.of("memory:").lock("a").lock("a"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
