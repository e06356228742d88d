package io.fencedlock.redis;

import io.fencedlock.HolderId;
import io.fencedlock.LockClock;
import io.fencedlock.LockName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes back what a holder has on the nodes of a Redlock. Thread-safe. */
final class RedlockUndo implements AutoCloseable {

    /** How long a late request of an attempt that is over is refused. */
    private static final Duration TOMBSTONE = Duration.ofSeconds(30);
    /** Above the number of each try, and a number that scripts have exactly. */
    private static final long EVERY_TRY = 1L << 53;

    private final RedlockNodes nodes;
    private final RedisKeys keys;
    private final Leftovers leftovers;

    RedlockUndo(RedlockNodes nodes, RedisKeys keys, LockClock clock) {
        this.nodes = nodes;
        this.keys = keys;
        leftovers = new Leftovers(clock);
    }

    /**
     * What one node did.
     *
     * @param released whether there was an entry
     * @param sure whether no late request can make one
     */
    record Done(boolean released, boolean sure) {}

    /**
     * Removes the holder's entry from one node, unless a later try has taken it since: what is sent now may overtake, or be overtaken, where a
     * connection was replaced.
     */
    private CompletableFuture<Done> at(
            int node, LockName name, HolderId holder, @Nullable Claimant claimant, long lastTry) {
        String[] where = {keys.lock(name), keys.abandoned(name, holder)};
        return nodes.run(node, Script.QUORUM_RELEASE, where, (RedisCommands.Arguments) wire -> new String[] {
                    holder.value(),
                    String.valueOf(lastTry),
                    claimant == null ? "" : claimant.late(node, wire, lastTry),
                    String.valueOf(TOMBSTONE.toMillis()),
                    keys.released(name),
                    name.value()
                })
                .thenApply(answer ->
                        new Done(answer.get(0).equals(1L), answer.get(1).equals(1L)))
                .whenComplete((done, failed) -> {
                    if (done != null && claimant != null && done.sure()) {
                        claimant.clean(node, lastTry);
                    }
                });
    }

    /** The same for a holder that is over; if it fails, it is tried again in the background for as long as the entry may stand. */
    CompletableFuture<Done> insist(
            int node, LockName name, HolderId holder, @Nullable Claimant claimant, Duration time) {
        CompletableFuture<Done> undone = at(node, name, holder, claimant, EVERY_TRY);
        var unused = undone.whenComplete((done, failed) -> {
            if (failed != null && (claimant == null || claimant.traces().contains(node))) {
                leftovers.remove(() -> at(node, name, holder, claimant, EVERY_TRY), time);
            }
        });
        return undone;
    }

    /**
     * Removes what a try left that came to nothing; the holder may try again. Completes, normally, when the nodes that answered that try have
     * answered this as well; the others are seen to in the background.
     */
    CompletableFuture<Void> attempt(LockName name, HolderId holder, Claimant claimant, long number) {
        List<CompletableFuture<Done>> awaited = new ArrayList<>();
        for (int node : claimant.traces()) {
            CompletableFuture<Done> undone = at(node, name, holder, claimant, number);
            if (claimant.isAnswered(node)) {
                awaited.add(undone);
            }
            later(undone, node, name, holder, claimant, number);
        }
        return CompletableFuture.allOf(awaited.toArray(CompletableFuture<?>[]::new))
                .exceptionally(failed -> null);
    }

    /** If it failed, tries again as long as the entry may stand, and nobody wants it anew. */
    private void later(
            CompletableFuture<Done> undone, int node, LockName name, HolderId holder, Claimant claimant, long number) {
        var unused = undone.whenComplete((done, failed) -> {
            if (failed != null) {
                leftovers.remove(
                        () -> claimant.isAt(number)
                                ? at(node, name, holder, claimant, number)
                                : CompletableFuture.completedFuture(null),
                        claimant.lease());
            }
        });
    }

    @Override
    public void close() {
        leftovers.close();
    }
}
