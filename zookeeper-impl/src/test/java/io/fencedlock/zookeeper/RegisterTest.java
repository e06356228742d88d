package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import io.fencedlock.servers.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The smallest fence: FEN-1 to FEN-4 on a real rig.server(). */
class RegisterTest {

    private static final HolderId ANN = HolderId.random();
    private static final HolderId BOB = HolderId.random();

    @RegisterExtension
    static final Rig rig = new Rig();

    private FencedRegister open() {
        return rig.opened(FencedRegister.connect(rig.url()));
    }

    private static FenceMark mark(long token, HolderId holder) {
        return new FenceMark(token, holder);
    }

    @Test
    void fence_admitsLargerTokensAndItsOwnHolder() {
        FencedRegister register = open();
        assertThat(register.read("r")).isEmpty();
        assertThat(register.mark("r")).isEmpty();
        register.write("r", mark(7, ANN), "one");
        register.write("r", mark(7, ANN), "two");
        assertThatThrownBy(() -> register.write("r", mark(7, BOB), "no")).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> register.write("r", mark(6, ANN), "no"))
                .isInstanceOfSatisfying(StaleTokenException.class, refused -> {
                    assertThat(refused.staleToken()).isEqualTo(6);
                    assertThat(refused.acceptedToken()).isEqualTo(7);
                });
        assertThat(register.read("r")).contains("two");
        register.write("r", mark(8, BOB), "three");
        assertThat(register.mark("r")).contains(mark(8, BOB));
    }

    @Test
    void fence_isExactOver63Bits() {
        FencedRegister register = open();
        long big = (1L << 53) + 1;
        register.write("r", mark(big, ANN), "a");
        assertThatThrownBy(() -> register.write("r", mark(big - 1, BOB), "b")).isInstanceOf(StaleTokenException.class);
        register.write("r", mark(big + 1, BOB), "b");
        register.write("r", mark(Long.MAX_VALUE, ANN), "c");
        assertThatThrownBy(() -> register.write("r", mark(Long.MAX_VALUE - 1, ANN), "d"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(open().mark("r")).contains(mark(Long.MAX_VALUE, ANN));
    }

    @Test
    void advance_raisesTheMarkAloneAndBeforeTheFirstWrite() {
        FencedRegister register = open();
        register.advance("r", mark(5, ANN));
        assertThat(register.read("r")).isEmpty();
        assertThatThrownBy(() -> register.write("r", mark(4, BOB), "no")).isInstanceOf(StaleTokenException.class);
        register.write("r", mark(5, ANN), "yes");
        register.advance("r", mark(6, BOB));
        assertThat(register.read("r")).contains("yes");
        assertThatThrownBy(() -> register.advance("r", mark(5, ANN))).isInstanceOf(StaleTokenException.class);
    }

    /** FEN-5: an operator's mark leaves no holder, and only a larger token passes. */
    @Test
    void markWithoutHolder_admitsLargerTokensOnly() {
        FencedRegister register = open();
        register.advance("r", new FenceMark(9, null));
        assertThat(register.mark("r")).contains(new FenceMark(9, null));
        assertThatThrownBy(() -> register.write("r", mark(9, ANN), "no")).isInstanceOf(StaleTokenException.class);
        register.write("r", mark(10, ANN), "yes");
    }

    @Test
    void unfencedWrites_leaveTheMark() {
        FencedRegister register = open();
        register.writeUnfenced("r", "a");
        assertThat(register.mark("r")).isEmpty();
        register.write("r", mark(3, ANN), "b");
        register.writeUnfenced("r", "c");
        assertThat(register.read("r")).contains("c");
        assertThat(register.mark("r")).contains(mark(3, ANN));
        register.remove("r");
        register.remove("r");
        assertThat(register.mark("r")).isEmpty();
        assertThat(register.read("r")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "+", "\n", "a\nb\n", "\n-\n+", "1 2", "ü\uD83D\uDD12\r\n"})
    void values_comeBackAsTheyWere(String value) {
        FencedRegister register = open();
        register.write("r", mark(1, ANN), value);
        assertThat(open().read("r")).isEqualTo(Optional.of(value));
        register.writeUnfenced("s", value);
        assertThat(register.read("s")).contains(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "A", "a/b", "a%2Fb", ".", "..", "a:b", "ü", "/"})
    void resources_neverInterfere(String resource) {
        FencedRegister register = open();
        register.write("another", mark(1, ANN), "x");
        register.write(resource, mark(2, ANN), resource);
        assertThat(register.read(resource)).contains(resource);
        assertThat(register.read("another")).contains("x");
    }

    /** FEN-2: whoever writes last has the largest token, and no write of a smaller one comes after a larger one. */
    @Test
    void concurrentWriters_theLargestTokenStands() throws Exception {
        List<FencedRegister> registers = List.of(open(), open(), open(), open());
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<Void>> writes = IntStream.rangeClosed(1, 80)
                    .mapToObj(i -> CompletableFuture.runAsync(
                            () -> writeUntilAnswered(registers.get(i % 4), mark(i, HolderId.random()), "v" + i),
                            threads))
                    .toList();
            CompletableFuture.allOf(writes.toArray(CompletableFuture<?>[]::new)).get(60, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
        assertThat(registers.get(0).read("r")).contains("v80");
        assertThat(registers.get(0).mark("r").orElseThrow().token()).isEqualTo(80);
    }

    private static void writeUntilAnswered(FencedRegister register, FenceMark mark, String value) {
        for (int i = 0; i < 20; i++) {
            try {
                register.write("r", mark, value);
                return;
            } catch (StaleTokenException e) {
                return;
            } catch (OutcomeUnknownException | BackendUnavailableException e) {
                // so many writers on a slow machine may take longer than the command timeout: again
            }
        }
        throw new IllegalStateException("no answer to " + mark);
    }

    @Test
    void lostReply_isUnknownAndRepeatingIsHarmless() throws Exception {
        FaultProxy proxy = rig.opened(FaultProxy.inFrontOf(rig.server()));
        FencedRegister register = rig.opened(FencedRegister.connect(proxy.url() + rig.prefix() + Rig.SESSION));
        register.write("r", mark(1, ANN), "a");
        proxy.loseReplyAndCut(request -> request.contains("registers/r") && request.contains("written"));
        assertThatThrownBy(() -> register.write("r", mark(2, ANN), "written"))
                .isInstanceOf(OutcomeUnknownException.class);
        writeUntilAnswered(register, mark(2, ANN), "written");
        assertThat(open().read("r")).contains("written");
    }

    @Test
    void serverAway_endsInTime() {
        try (FencedRegister register = FencedRegister.connect("zookeeper://127.0.0.1:1" + Rig.SESSION)) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> register.read("r"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:1");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1300));
        }
    }

    @Test
    void valueTooLarge_isRefusedBeforeAnythingIsSent() {
        FencedRegister register = open();
        assertThatThrownBy(() -> register.writeUnfenced("r", "x".repeat(1_000_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1000001");
        register.writeUnfenced("r", "x".repeat(1_000_000));
        assertThat(register.read("r").orElseThrow()).hasSize(1_000_000);
    }
}
