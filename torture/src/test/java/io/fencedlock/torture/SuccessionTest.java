package io.fencedlock.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.torture.Succession.Try;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A waiter gets the lock in time when holder and leader die together. */
class SuccessionTest {

    private static Succession of(Duration lease, List<Try> tries) {
        return new Succession("etcd-3", "three", lease, 1, tries);
    }

    private static List<Try> twenty(long lastMillis) {
        return IntStream.rangeClosed(1, 20)
                .mapToObj(i ->
                        new Try(Duration.ofSeconds(1), i < 20 ? Duration.ofSeconds(6) : Duration.ofMillis(lastMillis)))
                .toList();
    }

    @Test
    void limitsAreTheLeaseAndElectionsAndAMargin() {
        Succession good = of(Duration.ofSeconds(3), twenty(8000));
        assertThat(good.election()).isEqualTo(Duration.ofSeconds(1));
        assertThat(good.median()).isEqualTo(Duration.ofSeconds(6)).isEqualTo(good.medianLimit());
        assertThat(good.worst()).isEqualTo(Duration.ofSeconds(8)).isEqualTo(good.worstLimit());
        assertThat(good.kept()).isTrue();
        assertThat(of(Duration.ofSeconds(3), twenty(8001)).kept()).isFalse();
        assertThat(of(Duration.ofMillis(2999), twenty(1)).kept()).isFalse();
    }

    @Test
    void whatHasNoLeaderIsRefused() {
        assertThatThrownBy(() -> Torture.succession("etcd", 1, Duration.ofSeconds(3), 1, one -> {}))
                .hasMessageContaining("etcd-3");
        assertThatThrownBy(() -> Torture.succession("etcd-3", 0, Duration.ofSeconds(3), 1, one -> {}))
                .hasMessageContaining("found 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel", "redis-cluster", "etcd-3", "zookeeper-3"})
    @Tag("full")
    void holderAndLeaderDieTogether(String backend) throws InterruptedException {
        Succession all = Torture.succession(backend, 5, Duration.ofSeconds(3), 7, one -> {});
        assertThat(all.kept()).as(all.toString()).isTrue();
    }
}
