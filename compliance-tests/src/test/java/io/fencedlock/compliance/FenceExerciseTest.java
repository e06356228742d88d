package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.MarkInfo;
import io.fencedlock.MemoryFence;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A right fence passes, a wrong one does not. */
class FenceExerciseTest {

    private static final HolderId ANYBODY = HolderId.random();

    private static FenceExercise of(UnaryOperator<FenceMark> seen, boolean atomic) {
        return new FenceExercise(new Logs(new Altered(seen), atomic), System.nanoTime());
    }

    @Test
    void aRightFencePasses() throws Exception {
        FenceExercise exercise = of(mark -> mark, true);
        exercise.oneByOne(5000);
        exercise.atOnce(5000);
        assertThat(exercise.summary()).contains("accepted").contains("seed");
    }

    @Test
    void tokensThatLoseDigitsAreFound() {
        FenceExercise exercise = of(mark -> new FenceMark((long) (double) mark.token(), mark.holder()), true);
        assertThatThrownBy(() -> exercise.oneByOne(5000)).isInstanceOf(AssertionError.class);
    }

    @Test
    void holdersThatAreNotToldApartAreFound() {
        FenceExercise exercise = of(mark -> new FenceMark(mark.token(), ANYBODY), true);
        assertThatThrownBy(() -> exercise.oneByOne(5000)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aCheckApartFromTheWriteIsFound() {
        FenceExercise exercise = of(mark -> mark, false);
        assertThatThrownBy(() -> exercise.atOnce(100_000))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed");
    }

    /** With logs in memory; writes that are not atomic let others in between check and effect. */
    private record Logs(Altered fence, boolean atomic, Map<String, List<FenceMark>> logs)
            implements FenceExercise.Subject {

        Logs(Altered fence, boolean atomic) {
            this(fence, atomic, new HashMap<>());
        }

        @Override
        public void append(String resource, FenceMark mark) {
            if (atomic) {
                fence.memory.inFence(
                        resource, fence.seen.apply(mark), () -> log(resource).add(mark));
            } else {
                fence.advance(resource, mark);
                Thread.yield();
                log(resource).add(mark);
            }
        }

        private List<FenceMark> log(String resource) {
            synchronized (logs) {
                return logs.computeIfAbsent(resource, name -> new CopyOnWriteArrayList<>());
            }
        }

        @Override
        public List<FenceMark> appended(String resource) {
            return List.copyOf(log(resource));
        }
    }

    /** Sees marks otherwise than they are. */
    private record Altered(UnaryOperator<FenceMark> seen, MemoryFence memory) implements Fence {

        Altered(UnaryOperator<FenceMark> seen) {
            this(seen, new MemoryFence());
        }

        @Override
        public void advance(String resource, FenceMark mark) {
            memory.advance(resource, seen.apply(mark));
        }

        @Override
        public FenceMark raise(String resource, long token) {
            return memory.raise(resource, token);
        }

        @Override
        public Optional<FenceMark> mark(String resource) {
            return memory.mark(resource);
        }

        @Override
        public void forEachMark(Consumer<MarkInfo> action) {
            memory.forEachMark(action);
        }

        @Override
        public long expire(Duration unusedFor) {
            return memory.expire(unusedFor);
        }

        @Override
        public boolean remove(String resource) {
            return memory.remove(resource);
        }

        @Override
        public void close() {}
    }
}
