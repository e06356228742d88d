package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.servers.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who waits is served in order, and leaves nothing behind when it gives up. */
class QueueTest {

    @RegisterExtension
    static final Rig rig = new Rig();

    /** WAI-5, over two clients, with every third waiter giving up before its turn. */
    @Test
    void waiters_areServedInOrderOfArrival() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        Lease held = one.get("a").acquire();
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        int count = 30;
        for (int i = 0; i < count; i++) {
            FencedLock lock = (i % 2 == 0 ? two : one).get("a");
            waiting.add(lock.acquireAsync());
            Rig.waiters(one, "a", i + 1);
        }
        List<Integer> patient =
                IntStream.range(0, count).filter(i -> i % 3 != 1).boxed().toList();
        List<CompletableFuture<Void>> served = patient.stream()
                .map(i -> waiting.get(i).thenAccept(lease -> {
                    order.add(i);
                    lease.close();
                }))
                .toList();
        IntStream.range(0, count)
                .filter(i -> i % 3 == 1)
                .forEach(i -> waiting.get(i).cancel(false));
        Rig.waiters(one, "a", patient.size());
        held.close();
        CompletableFuture.allOf(served.toArray(CompletableFuture<?>[]::new)).get(30, TimeUnit.SECONDS);
        assertThat(order).isEqualTo(patient);
        await().atMost(Rig.SOON).until(() -> rig.contenders().isEmpty());
    }

    /** Z6 a, c: interrupted, timed out, cancelled. */
    @Test
    void waitersThatGaveUp_leaveNothing() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        Lease held = one.get("a").acquire();
        FutureTask<Lease> blocked = new FutureTask<>(() -> two.get("a").acquire());
        Thread thread = new Thread(blocked);
        thread.start();
        CompletableFuture<Lease> cancelled = two.get("a").acquireAsync();
        Rig.waiters(one, "a", 2);
        thread.interrupt();
        cancelled.cancel(true);
        assertThat(two.get("a").tryAcquire(Duration.ofMillis(100))).isEmpty();
        assertThatThrownBy(() -> blocked.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        await().atMost(Duration.ofSeconds(2)).until(() -> rig.contenders().equals(List.of(Rig.node(held))));
    }

    /** Renewed, or told of a base that has grown: who waits behind takes neither for a release. */
    @Test
    void nodeWrittenWhileWatched_isNoRelease() throws Exception {
        Queue queue = Queue.behind(rig.server().url(), () -> {});
        queue.held.renew();
        assertStillWaiting(queue.next);
        long floor = queue.held.token() + 1_000_000_000_000L;
        queue.one.raiseTokens(floor);
        queue.held.close();
        assertThat(queue.inTurn()).isGreaterThan(floor);
    }

    /** The same base written a second time would look like a release to who has seen the first. */
    @Test
    void headThatLostTheReplyToItsWrite_isNotTakenForReleased() throws Exception {
        FaultProxy proxy = rig.opened(FaultProxy.inFrontOf(rig.server()));
        Queue queue = Queue.behind(proxy.url(), () -> {});
        long floor = queue.held.token() + 1_000_000_000_000L;
        CompletableFuture<Void> lost = proxy.loseReplyAndCut(request -> request.contains("\n" + floor));
        queue.one.raiseTokens(floor);
        queue.held.close();
        lost.get(10, TimeUnit.SECONDS);
        used(queue.three);
        allWatched();
        queue.inTurn();
    }

    @Test
    void nodeTakenOverAfterALostReply_isNotTakenForReleased() throws Exception {
        FaultProxy proxy = rig.opened(FaultProxy.inFrontOf(rig.server()));
        AtomicReference<CompletableFuture<Void>> lost = new AtomicReference<>();
        Queue queue = Queue.behind(
                proxy.url(), () -> lost.set(proxy.loseReplyAndCut(request -> request.contains("v1/locks/"))));
        lost.get().get(10, TimeUnit.SECONDS);
        assertStillWaiting(queue.last);
        queue.held.close();
        queue.inTurn();
    }

    /** Behind a lost connection the server tells that the node was written, if it still stands, and no zxid. */
    @Test
    void newsWithoutAZxid_areNotTakenForARelease() throws Exception {
        assertThat(isRelease("a", new WatchedEvent(EventType.NodeDataChanged, KeeperState.SyncConnected, "/n")))
                .isFalse();
        assertThat(isRelease("a", written())).isTrue();
    }

    /** Who takes zxids as they are does not hear of the base, but others may lift theirs. */
    @Test
    void nodeThatSaysABaseNobodyHereKnows_isNotTakenForReleasedWhenItIsWritten() throws Exception {
        assertThat(isRelease("a\nhost\n1\n5", written())).isFalse();
        assertThat(isRelease("a\nhost\n1\n0", written())).isTrue();
    }

    private static boolean isRelease(String node, WatchedEvent news) throws Exception {
        ZkSession session = rig.client().session();
        Tokens tokens = new Tokens(TokenSource.ZXID, new TokenBase(Rig.settings(rig.url())));
        PredecessorWatch watch = new PredecessorWatch(session, "/n", false, tokens);
        watch.saw(NodeData.parse(node));
        watch.process(news);
        return watch.saysWeAreFirst(session);
    }

    private static WatchedEvent written() {
        return new WatchedEvent(EventType.NodeDataChanged, KeeperState.SyncConnected, "/n", 7);
    }

    /** A client that has lifted the base of the tokens, as each does at its first use. */
    private static FencedLocks used(String url) throws Exception {
        FencedLocks locks = rig.connect(url, "");
        used(locks);
        return locks;
    }

    /** Each knows the present base then. */
    private static void used(FencedLocks... clients) throws Exception {
        for (FencedLocks locks : clients) {
            locks.get("warm-up").acquire().close();
        }
    }

    /** One holds; behind it wait the next, and the last, who watches the next. */
    private record Queue(
            FencedLocks one,
            FencedLocks three,
            Lease held,
            CompletableFuture<Lease> next,
            CompletableFuture<Lease> last) {

        /**
         * Lets them line up, each a client of its own that knows the present base.
         *
         * @param url of the next one
         * @param before run before the next one comes
         */
        static Queue behind(String url, Runnable before) throws Exception {
            FencedLocks one = used(rig.server().url());
            FencedLocks two = used(url);
            FencedLocks three = used(rig.server().url());
            used(one, two);
            Lease held = one.get("a").acquire();
            before.run();
            CompletableFuture<Lease> next = two.get("a").acquireAsync();
            Rig.waiters(one, "a", 1);
            CompletableFuture<Lease> last = three.get("a").acquireAsync();
            Rig.waiters(one, "a", 2);
            allWatched();
            return new Queue(one, three, held, next, last);
        }

        /** The next one is granted, and the last not before that is released; answers the next one's token. */
        long inTurn() throws Exception {
            Lease lease = next.get(10, TimeUnit.SECONDS);
            assertStillWaiting(last);
            lease.close();
            last.get(10, TimeUnit.SECONDS).close();
            return lease.token();
        }
    }

    /** Each node has one who waits behind it, but the last. */
    private static void allWatched() {
        FourLetters counts = new FourLetters(rig.server().address());
        await().atMost(Rig.SOON).until(() -> {
            List<String> nodes = rig.contenders();
            int watched = 0;
            for (String node : nodes) {
                watched += counts.watchers(node) > 0 ? 1 : 0;
            }
            return watched == nodes.size() - 1;
        });
    }

    /** For longer than the heartbeat, a re-check, and the way of any event. */
    private static void assertStillWaiting(CompletableFuture<Lease> waiting) {
        await().during(Duration.ofMillis(1500)).atMost(Rig.SOON).until(() -> !waiting.isDone());
    }

    @Test
    void waiterWhoseNodeWasDeletedByHand_rejoins() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        Lease held = one.get("a").acquire();
        CompletableFuture<Lease> waiting = two.get("a").acquireAsync();
        Rig.waiters(one, "a", 1);
        ZooKeeper raw = rig.raw();
        for (String node : rig.contenders()) {
            if (!node.equals(Rig.node(held))) {
                raw.delete(node, -1);
            }
        }
        Rig.waiters(one, "a", 1);
        assertThat(waiting).isNotDone();
        held.close();
        Lease lease = waiting.get(10, TimeUnit.SECONDS);
        assertThat(raw.exists(Rig.node(lease), false)).isNotNull();
        assertThat(lease.token()).isGreaterThan(held.token());
    }

    /** Z13: the container of all goes away between two uses, again and again. */
    @Test
    void parentsVanishUnderTheAcquirers_nobodyNotices() throws Exception {
        FencedLocks one = rig.connect();
        FencedLocks two = rig.connect();
        String stripe;
        try (Lease lease = one.get("a").acquire()) {
            stripe = ZkPaths.parent(Rig.node(lease));
        }
        ZooKeeper raw = rig.raw();
        CompletableFuture<Integer> deleting = CompletableFuture.supplyAsync(() -> {
            int deleted = 0;
            for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5); System.nanoTime() < end; ) {
                deleted += delete(raw, stripe);
            }
            return deleted;
        });
        long last = 0;
        while (!deleting.isDone()) {
            for (FencedLocks locks : List.of(one, two)) {
                Optional<Lease> lease = locks.get("a").tryAcquire(Duration.ofSeconds(5));
                assertThat(lease).isPresent();
                assertThat(lease.get().token()).isGreaterThan(last);
                last = lease.get().token();
                lease.get().close();
            }
        }
        assertThat(deleting.get()).isGreaterThan(10);
    }

    private static int delete(ZooKeeper raw, String path) {
        try {
            raw.delete(path, -1);
            return 1;
        } catch (NoNodeException | org.apache.zookeeper.KeeperException.NotEmptyException e) {
            return 0;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
