package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import io.fencedlock.servers.FaultProxy;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The fence in etcd: mark and value in one transaction. */
class EtcdRegisterTest {

    private static final HolderId A = HolderId.random();
    private static final HolderId B = HolderId.random();

    private static Server server;

    private String url;
    private FencedRegister register;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.ETCD);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        url = server.url() + "/r" + System.nanoTime() + "?command-timeout=5s";
        register = FencedRegister.connect(url);
    }

    @AfterEach
    void close() {
        register.close();
    }

    @Test
    void fen1_firstWriteNewerTokenAndTheSameHolderPass() {
        register.write("x", new FenceMark(5, A), "one");
        register.write("x", new FenceMark(5, A), "two");
        register.write("x", new FenceMark(6, B), "three");

        assertThat(register.read("x")).hasValue("three");
        assertThat(register.mark("x")).hasValue(new FenceMark(6, B));
    }

    @Test
    void fen1_olderTokenAndTheSameTokenOfAnotherAreRefusedWithBoth() {
        register.write("x", new FenceMark(10, A), "kept");

        assertThatThrownBy(() -> register.write("x", new FenceMark(9, B), "stale"))
                .isInstanceOfSatisfying(StaleTokenException.class, refused -> {
                    assertThat(refused.staleToken()).isEqualTo(9);
                    assertThat(refused.acceptedToken()).isEqualTo(10);
                });
        assertThatThrownBy(() -> register.write("x", new FenceMark(10, B), "stale"))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> register.write("x", new FenceMark(10, null), "stale"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(register.read("x")).hasValue("kept");
    }

    @Test
    void fen3_advanceClosesTheGapBeforeTheFirstWrite() {
        register.write("x", new FenceMark(1, A), "old");
        register.advance("x", new FenceMark(2, B));

        assertThatThrownBy(() -> register.write("x", new FenceMark(1, A), "late"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(register.read("x")).hasValue("old");
        register.write("x", new FenceMark(2, B), "new");
        assertThat(register.read("x")).hasValue("new");
    }

    @Test
    void markWithoutHolder_letsOnlyLargerTokensPass() {
        register.advance("x", new FenceMark(7, null));

        assertThat(register.mark("x")).hasValue(new FenceMark(7, null));
        assertThatThrownBy(() -> register.advance("x", new FenceMark(7, null))).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> register.write("x", new FenceMark(7, A), "no"))
                .isInstanceOf(StaleTokenException.class);
        register.write("x", new FenceMark(8, A), "yes");
    }

    @Test
    void tok7_all63BitsAreExact() {
        long top = Long.MAX_VALUE;
        long beyondDouble = (1L << 53) + 1;
        register.write("small", new FenceMark(9, A), "9");
        register.write("small", new FenceMark(10, B), "10");
        register.write("double", new FenceMark(beyondDouble, A), "a");
        register.write("top", new FenceMark(top - 1, A), "a");
        register.write("top", new FenceMark(top, B), "b");

        assertThatThrownBy(() -> register.write("double", new FenceMark(beyondDouble - 1, B), "b"))
                .isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> register.write("top", new FenceMark(top - 1, A), "c"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(register.mark("top")).hasValue(new FenceMark(top, B));
    }

    @Test
    void unfencedWrite_leavesTheMarkAndRemoveForgetsBoth() {
        register.write("x", new FenceMark(3, A), "fenced");
        register.writeUnfenced("x", "over");

        assertThat(register.read("x")).hasValue("over");
        assertThat(register.mark("x")).hasValue(new FenceMark(3, A));
        register.remove("x");
        assertThat(register.read("x")).isEmpty();
        assertThat(register.mark("x")).isEmpty();
    }

    @Test
    void fen2_racingWritersNeverGoBack() throws Exception {
        AtomicLong next = new AtomicLong();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(CompletableFuture.runAsync(() -> {
                for (int j = 0; j < 50; j++) {
                    long token = next.incrementAndGet();
                    try {
                        register.write("race", new FenceMark(token, A), Long.toString(token));
                    } catch (StaleTokenException e) {
                        assertThat(e.acceptedToken()).isGreaterThan(token);
                    }
                }
            }));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);

        assertThat(register.read("race")).hasValue("400");
        assertThat(register.mark("race")).hasValue(new FenceMark(400, A));
    }

    @Test
    void lostReply_isUnknownAndTheRepeatIsHarmless() {
        try (FaultProxy proxy = FaultProxy.inFrontOf(server);
                FencedRegister far =
                        FencedRegister.connect(proxy.url() + "/r" + System.nanoTime() + "?command-timeout=5s")) {
            assertThat(far.read("x")).isEmpty();
            proxy.loseReplyAndCut(bytes -> bytes.contains("marks/x"));

            assertThatThrownBy(() -> far.write("x", new FenceMark(1, A), "v"))
                    .isInstanceOf(OutcomeUnknownException.class);
            far.write("x", new FenceMark(1, A), "v");

            assertThat(far.read("x")).hasValue("v");
            proxy.refuse();
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 3; i++) {
                            far.read("x");
                        }
                    })
                    .isInstanceOfAny(BackendUnavailableException.class, OutcomeUnknownException.class);
        }
    }
}
