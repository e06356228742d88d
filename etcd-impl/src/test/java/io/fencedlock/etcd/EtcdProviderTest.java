package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.LockConfigurationException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configuration, without a server. */
class EtcdProviderTest {

    @ParameterizedTest
    @CsvSource({
        "etcd://localhost?lease=1s, at least 2s",
        "etcd://localhost?tokens=zxid, 'clock, revision'",
        "etcd://localhost?etcd-lease=none, 'client, lock'",
        "etcd://:secret@localhost, a password needs a user",
    })
    void cli3_wrongConfigurationNamesWhatIsAllowed(String url, String message) {
        assertThatThrownBy(() -> FencedLocks.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("secret");
    }

    @Test
    void connect_doesNotWaitForAServer() {
        long began = System.nanoTime();
        try (FencedLocks locks = FencedLocks.connect("etcd://127.0.0.1:1")) {
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
            assertThatThrownBy(() -> locks.get("a").tryAcquire())
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:1");
        }
    }

    @Test
    void profile_saysWhatIsPromised() {
        try (FencedLocks locks = FencedLocks.connect("etcd://127.0.0.1:1?etcd-lease=lock")) {
            BackendProfile profile = locks.profile();

            assertThat(profile.backend()).isEqualTo("etcd");
            assertThat(profile.queueOrder()).isEqualTo(BackendProfile.QueueOrder.FIFO);
            assertThat(profile.leaseScope()).isEqualTo(BackendProfile.LeaseScope.PER_LOCK);
            assertThat(profile.leaseGranularity()).isEqualTo(Duration.ofSeconds(1));
            assertThat(profile.disclaims()).isEmpty();
        }
    }
}
