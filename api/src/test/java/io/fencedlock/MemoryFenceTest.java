package io.fencedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryFenceTest {

    private static final HolderId A = HolderId.random();
    private static final HolderId B = HolderId.random();

    private final MemoryFence fence = new MemoryFence();

    @Test
    void workIsDoneIfTheFenceAdmitsIt() {
        List<String> done = new ArrayList<>();
        fence.inFence("r", new FenceMark(2, A), () -> done.add("first"));
        assertThatThrownBy(() -> fence.inFence("r", new FenceMark(2, B), () -> done.add("twin")))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> fence.inFence("r", new FenceMark(1, B), () -> done.add("old")))
                .isInstanceOf(StaleTokenException.class);
        assertThat(fence.inFence("r", new FenceMark(2, A), () -> 7)).isEqualTo(7);
        assertThat(done).containsExactly("first");
        assertThat(fence.mark("r")).hasValue(new FenceMark(2, A));
    }

    @Test
    void raisedMarkHasNoHolder() {
        fence.advance("r", new FenceMark(5, A));
        assertThat(fence.raise("r", 4)).isEqualTo(new FenceMark(5, A));
        assertThat(fence.raise("r", 5)).isEqualTo(new FenceMark(5, null));
        assertThatThrownBy(() -> fence.advance("r", new FenceMark(5, A))).isInstanceOf(StaleTokenException.class);
        fence.advance("r", new FenceMark(Long.MAX_VALUE, B));
    }

    @Test
    void marksAreListedExpiredAndRemoved() {
        fence.advance("a", new FenceMark(1, A));
        fence.advance("b", new FenceMark(2, B));
        List<String> listed = new ArrayList<>();
        fence.forEachMark(info -> listed.add(info.resource() + " " + info.mark().token()));
        assertThat(listed).containsExactlyInAnyOrder("a 1", "b 2");
        assertThat(fence.expire(Duration.ofDays(1))).isZero();
        assertThat(fence.remove("a")).isTrue();
        assertThat(fence.remove("a")).isFalse();
        assertThat(fence.mark("a")).isEmpty();
        assertThatThrownBy(() -> fence.expire(Duration.ofMillis(999))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fence.advance(" ", new FenceMark(1, A))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aStoreWithoutFencesSaysSo() {
        FencedLockProvider none = new FencedLockProvider() {
            @Override
            public String name() {
                return "none";
            }

            @Override
            public Map<String, Integer> schemes() {
                return Map.of("none", 0);
            }

            @Override
            public List<Option<?>> options() {
                return List.of();
            }

            @Override
            public FencedLockBackend open(BackendConfig config) {
                throw new UnsupportedOperationException();
            }

            @Override
            public FencedRegister openRegister(BackendConfig config) {
                throw new UnsupportedOperationException();
            }
        };
        assertThatThrownBy(() ->
                        FencedLocks.configure().provider(none).url("none:").openFence())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("none has no fence");
        try (Fence memory = Fence.connect("memory:")) {
            assertThat(memory).isInstanceOf(MemoryFence.class);
        }
    }
}
