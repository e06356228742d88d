package io.fencedlock.torture;

import io.fencedlock.FencedLocks;
import io.fencedlock.compliance.history.Fault;
import io.fencedlock.compliance.history.Recorder;
import io.fencedlock.servers.Server;
import java.time.Duration;
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
 * @param lease their lease time
 * @param client a client that no fault reaches
 * @param random decides
 * @param chronicle what has happened
 * @param recorder of faults
 * @param open ends what was said of the store, when it is whole
 */
record Scene(
        Arena arena,
        Crew crew,
        List<String> locks,
        Duration lease,
        FencedLocks client,
        Random random,
        Chronicle chronicle,
        Recorder recorder,
        List<Runnable> open) {
    private static final String ALL = "*";
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The store cannot be reached by anybody until all is {@link #whole} again; where a change of leader may lose the last writes, the old one may
     * also go on for a moment beside the new one.
     */
    void storeFails() {
        open.add(recorder.fault(arena.losesWrites() ? Fault.SPLIT : Fault.CUT, ALL, ""));
    }

    /** The store has lost what stood in it when all is {@link #whole} again. */
    void storeForgets() {
        open.add(recorder.fault(Fault.DROP, ALL, ""));
    }

    /** Waits, when every fault of a phase is healed, until the store has come back from them. */
    void whole() {
        if (!open.isEmpty()) {
            arena.awaitWhole();
        }
        open.forEach(Runnable::run);
        open.clear();
    }

    Runnable pauses(Hand worker) {
        return recorder.fault(Fault.PAUSE, worker.name(), "");
    }

    void dies(Hand worker) {
        recorder.fault(Fault.KILL, worker.name(), "");
    }

    /** The store loses a lock, or all of them if it is the empty name, and has lost it when the answer is run. */
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
