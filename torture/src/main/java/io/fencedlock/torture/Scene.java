package io.fencedlock.torture;

import io.fencedlock.FencedLocks;
import io.fencedlock.compliance.history.Fault;
import io.fencedlock.compliance.history.Recorder;
import io.fencedlock.servers.Server;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What a nemesis finds, and where it says what it breaks, so that the checker knows what may end a hold.
 *
 * @param arena the store
 * @param crew the workers
 * @param locks the names that they contend for
 * @param client a client that no fault reaches
 * @param random decides
 * @param chronicle what has happened
 * @param recorder of faults
 */
record Scene(
        Arena arena,
        Crew crew,
        List<String> locks,
        FencedLocks client,
        Random random,
        Chronicle chronicle,
        Recorder recorder) {
    private static final String ALL = "*";
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The store cannot be reached by anybody for a while, and has lost the last writes where a change of leader does that. */
    Runnable storeFails() {
        return recorder.fault(arena.losesWrites() ? Fault.DROP : Fault.CUT, ALL, "");
    }

    /** The store has lost what stood in it. */
    Runnable storeForgets() {
        return recorder.fault(Fault.DROP, ALL, "");
    }

    Runnable pauses(Hand worker) {
        return recorder.fault(Fault.PAUSE, worker.name(), "");
    }

    void dies(Hand worker) {
        recorder.fault(Fault.KILL, worker.name(), "");
    }

    Runnable forgets(String lock) {
        return recorder.fault(Fault.DROP, ALL, lock);
    }

    /** A worker, rather one that is about to write: nothing else tells as much about a fence. */
    Hand worker() throws InterruptedException {
        long start = System.nanoTime();
        Set<String> computing = chronicle.computing();
        while (computing.isEmpty() && System.nanoTime() - start < LOOK_NANOS) {
            TimeUnit.MILLISECONDS.sleep(1);
            computing = chronicle.computing();
        }
        Set<String> found = computing;
        List<Hand> hands = crew.hands().stream()
                .filter(hand -> found.isEmpty() || found.contains(hand.name()))
                .toList();
        return one(hands.isEmpty() ? crew.hands() : hands);
    }

    Server node() {
        return one(arena.nodes());
    }

    String lock() {
        return one(locks);
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
