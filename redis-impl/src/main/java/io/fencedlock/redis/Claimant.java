package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this client remembers of a holder on the nodes of a Redlock: the present try, where it may have left something, and which of its
 * requests may still come to a node. Thread-safe; its monitor is held while a request to acquire is sent.
 */
final class Claimant {

    private final Duration lease;
    private final List<List<Wire>> unanswered;
    private final boolean[] traces;
    /** Guarded by this, as the others: the number of the present try. */
    private long attempt;

    private boolean over;

    Claimant(int nodes, Duration lease) {
        this.lease = lease;
        unanswered = Stream.generate(() -> (List<Wire>) new ArrayList<Wire>(1))
                .limit(nodes)
                .toList();
        traces = new boolean[nodes];
    }

    Duration lease() {
        return lease;
    }

    /** A new try takes the place of one that may still be under way. */
    synchronized void begin(long number) {
        attempt = number;
    }

    /** Whether this try is still the present one. */
    synchronized boolean isAt(long number) {
        return attempt == number && !over;
    }

    /** From now on no request to acquire is sent. */
    synchronized void end() {
        over = true;
    }

    /** Where something of it may be, or may come to be. */
    synchronized List<Integer> traces() {
        return IntStream.range(0, traces.length)
                .filter(node -> traces[node])
                .boxed()
                .toList();
    }

    synchronized boolean isAnswered(int node) {
        return unanswered.get(node).isEmpty();
    }

    /** A node told that there is nothing of it, save for what may still come. */
    synchronized void nothingAt(int node) {
        traces[node] = !unanswered.get(node).isEmpty();
    }

    /** There is nothing of it up to a try on a node, and the node refuses what may still come; a later try may have left something there since. */
    synchronized void clean(int node, long lastTry) {
        traces[node] = traces[node] && attempt > lastTry;
    }

    /** Up to which try a request that takes it back has to refuse what may come later; empty if nothing may. */
    synchronized String late(int node, Wire wire, long lastTry) {
        boolean may = unanswered.get(node).stream().anyMatch(sent -> !sent.equals(wire));
        return may ? String.valueOf(Math.min(attempt, lastTry)) : "";
    }

    Request request(int node, long number, String[] arguments) {
        return new Request(node, number, arguments);
    }

    /** One request to acquire, or to have a token stored, on its way to one node. */
    final class Request implements RedisCommands.Arguments {

        private final int node;
        private final long number;
        private final String[] arguments;
        /** Guarded by the claimant. */
        private @Nullable Wire sentOn;

        private Request(int node, long number, String[] arguments) {
            this.node = node;
            this.number = number;
            this.arguments = arguments;
        }

        @Override
        public Object monitor() {
            return Claimant.this;
        }

        /** Asked a second time when the server has lost the script. */
        @Override
        public String[] on(Wire wire) {
            if (!isAt(number)) {
                throw new BackendUnavailableException("the try to acquire was given up before it was sent", null);
            }
            synchronized (Claimant.this) {
                if (sentOn == null) {
                    sentOn = wire;
                    traces[node] = true;
                    unanswered.get(node).add(wire);
                }
            }
            return arguments;
        }

        /** It was answered, or cannot have been run. A connection answers in order: none before it is on its way either. */
        void settled() {
            synchronized (Claimant.this) {
                if (sentOn != null) {
                    unanswered.get(node).removeIf(sentOn::equals);
                }
            }
        }
    }
}
