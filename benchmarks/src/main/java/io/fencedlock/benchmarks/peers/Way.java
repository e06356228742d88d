package io.fencedlock.benchmarks.peers;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One way to use a lock library, and the rules that are run for it.
 *
 * @param id for commands: {@code redisson}
 * @param library the library's class that locks
 * @param words how it is used, in sentences
 * @param peer the adapter
 * @param rules tells from a rule's id whether it is run
 */
record Way(String id, String library, String words, Peer peer, Predicate<String> rules) {

    /** About the register, which no peer has: the suite's target lends ours. */
    private static final Set<String> OURS = Set.of("FEN-1", "FEN-2", "FEN-3", "FEN-4", "FEN-5", "FEN-6");

    private static final String REDISSON = "Redisson RFencedLock";
    private static final String CURATOR = "Curator InterProcessMutex";
    private static final String JETCD = "jetcd Lock";

    /** Whose owner is the calling thread cannot be run by a suite that calls from many. */
    private static final Set<String> THREAD = Set.of("EXC-4", "REL-6");

    static final List<Way> ALL = List.of(
            new Way(
                    "redisson",
                    REDISSON,
                    "The number that `…AndGetToken` answers is kept as the token; a try is `tryLockAndGetToken(0, …)`; the owner is the thread "
                            + "that asked, and another thread releases by `unlockAsync(threadId)`. Watchdog = lease time; a command, with one "
                            + "repetition, takes no longer than the suite allows.",
                    new RedissonPeer(RedissonPeer.Use.CAREFUL),
                    rule -> !OURS.contains(rule)),
            new Way(
                    "redisson-get-token",
                    REDISSON,
                    "The token is `getToken()` of the lock that the holder has.",
                    new RedissonPeer(RedissonPeer.Use.GET_TOKEN),
                    Set.of("TOK-2", "TOK-4", "TOK-5", "FEN-7")::contains),
            new Way(
                    "redisson-short-try",
                    REDISSON,
                    "A try is `tryLockAndGetToken()`.",
                    new RedissonPeer(RedissonPeer.Use.SHORT_TRY),
                    Set.of("WAI-1")::contains),
            new Way(
                    "curator",
                    CURATOR,
                    "Each acquisition has a thread and a mutex object of its own, so that the suite, which calls from many threads, can use it "
                            + "(what this hides is run further down). A name is one path element, percent-encoded. The token is the sequence "
                            + "number of the znode plus 1. As the documentation strongly recommends, SUSPENDED counts as doubt and LOST as loss.",
                    new CuratorPeer(CuratorPeer.Use.OWN_THREAD),
                    rule -> !OURS.contains(rule) && !THREAD.contains(rule)),
            new Way(
                    "curator-thread",
                    CURATOR,
                    "The calling thread acquires and releases, with one mutex object for a lock object.",
                    new CuratorPeer(CuratorPeer.Use.CALLING_THREAD),
                    THREAD::contains),
            new Way(
                    "curator-session-end",
                    CURATOR,
                    "A lease that nobody renews is a session of its own that the server ends at the lease's time, while the holder's process runs.",
                    new CuratorPeer(CuratorPeer.Use.ENDED_SESSION),
                    Set.of("TOK-5", "REL-1", "REL-4", "LOS-1", "LOS-4", "LOS-6", "LOS-7", "FEN-7")::contains),
            new Way(
                    "jetcd",
                    JETCD,
                    "Each acquisition has an etcd lease of its own, which jetcd keeps alive and which is revoked at the end, also when a wait is given "
                            + "up. jetcd has no try: a wait is `get(wait)` and then `cancel(true)`, a try without wait waits 300 ms. The token is the "
                            + "revision in the answer's header.",
                    new JetcdPeer(JetcdPeer.Use.LEASE_EACH),
                    rule -> !OURS.contains(rule)),
            new Way(
                    "jetcd-shared",
                    JETCD,
                    "The same on one etcd lease for the client, as etcd's own sessions have it.",
                    new JetcdPeer(JetcdPeer.Use.LEASE_SHARED),
                    rule -> !OURS.contains(rule)));

    static Way of(String id) {
        return ALL.stream().filter(way -> way.id().equals(id)).findFirst().orElseThrow();
    }
}
