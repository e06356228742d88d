package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import io.fencedlock.StaleTokenException;
import io.fencedlock.servers.Data;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens grow, whatever becomes of the numbers that they are made of. */
class TokenTest {

    @RegisterExtension
    static final Rig rig = new Rig();

    private String base() {
        return new ZkPaths(rig.prefix().substring(1)).base();
    }

    private static long token(FencedLocks locks) throws InterruptedException {
        try (Lease lease = locks.get("a").acquire()) {
            return lease.token();
        }
    }

    @Test
    void tokens_growAcrossClientsAndLieInTheCommonSpace() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        long last = System.currentTimeMillis() * 1000 - TimeUnit.HOURS.toMicros(1);
        for (int i = 0; i < 20; i++) {
            long token = token(i % 2 == 0 ? one : two);
            assertThat(token).isGreaterThan(last);
            last = token;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zxid", "sequence"})
    void textbookTokens_areSmallAndSaySo(String source) throws Exception {
        FencedLocks locks = rig.connect(rig.server().url(), "&tokens=" + source);
        long first = token(locks);
        assertThat(first).isPositive().isLessThan(1L << 48);
        assertThat(token(locks)).isGreaterThan(first);
        if (source.equals("sequence")) {
            assertThat(first).isEqualTo(1);
        }
        assertThat(locks.profile().disclaims()).containsKey("TOK-6");
        assertThatThrownBy(() -> locks.raiseTokens(1L << 60)).isInstanceOf(UnsupportedOperationException.class);
    }

    /** Z11: with a permanent parent, which only a hand removes. */
    @Test
    void parentDeletedByHand_tokensGoOn() throws Exception {
        FencedLocks locks = rig.connect();
        Lease lease = locks.get("a").acquire();
        lease.close();
        rig.raw().delete(ZkPaths.parent(Rig.node(lease)), -1);
        assertThat(token(locks)).isGreaterThan(lease.token());
    }

    @Test
    void baseDeletedByHand_tokensGoOn() throws Exception {
        FencedLocks locks = rig.connect();
        locks.raiseTokens(1L << 60);
        long before = token(locks);
        rig.raw().delete(base(), -1);
        assertThat(token(locks)).isGreaterThan(before);
    }

    @Test
    void raisedTokens_areAbove_alsoForWhoWaitsAlready() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        Lease held = two.get("a").acquire();
        CompletableFuture<Lease> waiting = two.get("a").acquireAsync();
        Rig.waiters(one, "a", 1);
        long floor = held.token() + 1_000_000_000_000L;
        one.raiseTokens(floor);
        one.raiseTokens(1);
        held.close();
        assertThat(waiting.get(10, TimeUnit.SECONDS).token()).isGreaterThan(floor);
        assertThat(two.get("b").acquire().token()).isGreaterThan(floor);
        assertThat(rig.connect().get("c").acquire().token()).isGreaterThan(floor);
    }

    /** TOK-6: while this ensemble was not used, another store gave out tokens that follow the clock. */
    @Test
    void ensembleUsedLongAgo_newClientsTokensAreAboveTheClock() throws Exception {
        FencedLocks old = rig.connect();
        token(old);
        rig.raw().setData(base(), "1000".getBytes(StandardCharsets.US_ASCII), -1);
        long elsewhere = micros();
        FencedLocks fresh = rig.connect();
        assertThat(token(fresh)).isGreaterThan(elsewhere);
        assertThat(token(old)).isGreaterThan(elsewhere);
        assertThat(token(fresh)).isBetween(elsewhere, micros() + TimeUnit.MINUTES.toMicros(1));
    }

    /** Each lifts the base, and only one of them as it found it; each makes its node before it knows. */
    @Test
    void clientsThatStartTogether_eachLiftsTheBaseAndInspectTellsTheirTokens() throws Exception {
        for (int round = 0; round < 4; round++) {
            List<FencedLocks> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(rig.connect());
            }
            long begun = micros();
            List<CompletableFuture<Lease>> asked =
                    clients.stream().map(locks -> locks.get("a").acquireAsync()).toList();
            long last = begun;
            for (int granted = 0; granted < clients.size(); granted++) {
                CompletableFuture.anyOf(asked.stream()
                                .filter(lease -> !lease.isDone() || lease.join().isValid())
                                .toArray(CompletableFuture<?>[]::new))
                        .get(10, TimeUnit.SECONDS);
                List<Lease> held = asked.stream()
                        .filter(CompletableFuture::isDone)
                        .map(CompletableFuture::join)
                        .filter(Lease::isValid)
                        .toList();
                assertThat(held).hasSize(1);
                Lease lease = held.get(0);
                assertThat(lease.token()).isGreaterThan(last);
                assertThat(clients.get(0).inspect("a").orElseThrow().token()).isEqualTo(lease.token());
                last = lease.token();
                lease.close();
            }
        }
    }

    /** What a node says whose client's lifting of the base failed: nobody may find the base below it later. */
    @Test
    void headThatSaysMoreThanTheBaseIs_raisesIt() throws Exception {
        Rig.Client client = rig.client();
        ZkSession session = client.session();
        Lease held = client.locks().get("a").acquire();
        Place head = new Place(session, Rig.node(held), 1);
        ZkSettings settings = Rig.settings(rig.url());
        Tokens tokens = new Tokens(TokenSource.CLOCK, new TokenBase(settings));
        long said = held.token() + 1000;

        long settled =
                tokens.settle(head, new LockName("a"), said, settings.retry()).get(10, TimeUnit.SECONDS);

        assertThat(settled).isEqualTo(said);
        assertThat(new String(rig.raw().getData(base(), false, null), StandardCharsets.US_ASCII))
                .isEqualTo(Long.toString(said));
    }

    private static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** TOK-4, TOK-5: a holder's token stays, for others, too, whatever the base is by now. */
    @Test
    void tokensRaisedUnderAHolder_itsOwnIsToldAndItsWritesPass() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        try (FencedRegister register = FencedRegister.connect(rig.url())) {
            Lease held = one.get("a").acquire();
            CompletableFuture<Lease> waiting = two.get("a").acquireAsync();
            Rig.waiters(one, "a", 1);
            register.write("r", held.mark(), "1");
            one.raiseTokens(held.token() + 1_000_000_000L);
            rig.connect().get("b").acquire().close();
            assertThat(two.inspect("a").orElseThrow().token()).isEqualTo(held.token());
            register.write("r", held.mark(), "2");
            held.renew();
            assertThat(two.inspect("a").orElseThrow().token()).isEqualTo(held.token());
            assertThat(two.forceRelease("a", held.token())).isEqualTo(Release.RELEASED);
            Lease next = waiting.get(10, TimeUnit.SECONDS);
            assertThat(next.token()).isGreaterThan(held.token() + 1_000_000_000L);
            assertThat(one.inspect("a").orElseThrow().token()).isEqualTo(next.token());
            register.write("r", next.mark(), "3");
            assertThatThrownBy(() -> register.write("r", held.mark(), "4")).isInstanceOf(StaleTokenException.class);
        }
    }

    /** TOK-2, TOK-3: while somebody raises them again and again. */
    @Test
    void tokensRaisedAllTheTime_growInTheOrderOfTheGrants() throws Exception {
        List<FencedLocks> clients = List.of(rig.connect(), rig.connect(), rig.connect());
        FencedLocks raiser = rig.connect();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> cycles = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            cycles.add(clients.get(i % 3).get("a").acquireAsync().thenAccept(lease -> {
                tokens.add(lease.token());
                lease.close();
            }));
        }
        long raised = token(raiser);
        while (!CompletableFuture.allOf(cycles.toArray(CompletableFuture<?>[]::new))
                .isDone()) {
            raised += 1;
            raiser.raiseTokens(raised);
        }
        assertThat(tokens).hasSize(60).isSorted().doesNotHaveDuplicates();
        assertThat(rig.contenders()).isEmpty();
    }

    /** Notes, rule 14: as after the restore of an old backup. */
    @Test
    void ensembleThatFellBehind_isRefusedUntilTokensAreRaised() throws Exception {
        FencedLocks locks = rig.connect();
        long before = token(locks);
        ZooKeeper raw = rig.raw();
        raw.setData(base(), "1000".getBytes(StandardCharsets.US_ASCII), -1);
        assertThatThrownBy(() -> token(locks))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("lost or replaced")
                .hasMessageContaining("above " + before);
        assertThat(rig.contenders()).isEmpty();
        locks.raiseTokens(before);
        assertThat(token(locks)).isGreaterThan(before);
    }

    @Test
    void baseThatIsNoNumber_isNamed() throws Exception {
        FencedLocks locks = rig.connect();
        token(locks);
        rig.raw().setData(base(), "x".getBytes(StandardCharsets.US_ASCII), -1);
        assertThatThrownBy(() -> token(locks))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining(base());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void restartedServer_tokensGoOn(boolean keptItsData) throws Exception {
        FencedLocks locks = rig.connect();
        locks.raiseTokens(1L << 60);
        long before = token(locks);
        rig.server().restart(keptItsData ? Data.KEEP : Data.WIPE);
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> locks.inspect("a").isEmpty());
        assertThat(token(locks)).isGreaterThan(before);
    }
}
