package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The renewals of a client: one request is under way at a time, and what comes meanwhile goes together in the next one, so that many leases cost few
 * requests and a single one waits for nothing. On a Cluster, where keys are on many nodes, each goes by itself. Thread-safe, never blocks.
 */
final class Renewals {

    /** A request of so many keys keeps the server for less than a millisecond. */
    private static final int MOST = 200;

    private final RedisCommands commands;
    private final boolean together;
    /** Guarded by this, as is the next. */
    private final Queue<Due> due = new ArrayDeque<>();

    private boolean underWay;

    Renewals(RedisCommands commands, boolean together) {
        this.commands = commands;
        this.together = together;
    }

    /**
     * One entry to be renewed.
     *
     * @param entry how it begins
     * @param held completes with whether it is its own
     */
    private record Due(String lock, String entry, String millis, CompletableFuture<Boolean> held) {

        void answered(Object answer) {
            if (answer instanceof Long number) {
                held.complete(number == 1);
            } else {
                held.completeExceptionally(new BackendUnavailableException(lock + " is no lock: " + answer, null));
            }
        }
    }

    /** Answers whether the entry stood and was renewed. Fails in the two ways of a backend only. */
    CompletableFuture<Boolean> renew(String lock, String entry, String millis) {
        Due one = new Due(lock, entry, millis, new CompletableFuture<>());
        if (!together) {
            send(List.of(one));
            return one.held;
        }
        synchronized (this) {
            due.add(one);
            if (underWay) {
                return one.held;
            }
            underWay = true;
        }
        sendNext();
        return one.held;
    }

    private void sendNext() {
        List<Due> next = new ArrayList<>();
        synchronized (this) {
            while (next.size() < MOST && !due.isEmpty()) {
                next.add(due.remove());
            }
            underWay = !next.isEmpty();
        }
        if (!next.isEmpty()) {
            var unused = send(next).whenComplete((answer, failed) -> sendNext());
        }
    }

    private CompletableFuture<List<Object>> send(List<Due> all) {
        String[] locks = all.stream().map(Due::lock).toArray(String[]::new);
        String[] arguments = new String[2 * locks.length];
        for (int i = 0; i < locks.length; i++) {
            arguments[2 * i] = all.get(i).entry();
            arguments[2 * i + 1] = all.get(i).millis();
        }
        return commands.run(Script.RENEW, locks, arguments)
                .whenComplete((answers, failed) -> settle(all, answers, failed));
    }

    private static void settle(List<Due> all, List<Object> answers, @Nullable Throwable failed) {
        for (int i = 0; i < all.size(); i++) {
            if (failed == null) {
                all.get(i).answered(answers.get(i));
            } else {
                all.get(i).held.completeExceptionally(failed);
            }
        }
    }
}
