package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.LockClock;
import io.fencedlock.OutcomeUnknownException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on a connection of its own, and, if told so, waits until replicas have what a script wrote. Thread-safe, never blocks.
 *
 * <p>Redis tells how many replicas have the writes of the asking connection, and holds that connection up meanwhile: so what waits for replicas
 * has another connection than what does not.
 */
final class RedisCommands implements AutoCloseable {

    private final String target;
    private final LockClock clock;
    private final Link<Wire> link;
    private final Unanswered unanswered;
    /** Own scripts that the server has run for us, and so knows by their digest; of others there may be any number. */
    private final Set<Lua> known = ConcurrentHashMap.newKeySet();

    private final Duration commandTimeout;
    private final int replicas;
    private final long replicationMillis;
    /** When the server was last heard. */
    private volatile long heardAt;

    RedisCommands(RedisSettings settings, Driver driver, LockClock clock) {
        this(settings, driver, clock, 0);
    }

    /**
     * Begins to connect.
     *
     * @param replicas how many have to confirm each write
     */
    RedisCommands(RedisSettings settings, Driver driver, LockClock clock, int replicas) {
        this(settings, driver, clock, replicas, settings.commandTimeout());
    }

    private RedisCommands(
            RedisSettings settings, Driver driver, LockClock clock, int replicas, Duration connectPatience) {
        target = settings.target();
        this.replicas = replicas;
        replicationMillis = Math.max(1, settings.commandTimeout().toMillis() / 2);
        this.clock = clock;
        heardAt = clock.nanos();
        commandTimeout = settings.commandTimeout();
        unanswered = new Unanswered(clock, commandTimeout);
        link = new Link<>(target, driver::connect, Wire::watched, clock, connectPatience);
        link.start();
    }

    /** For one node of several: to connect may take longer than to answer, as the others are heard meanwhile. */
    static RedisCommands ofNode(RedisSettings settings, Driver driver, LockClock clock) {
        return new RedisCommands(
                settings, driver, clock, 0, settings.commandTimeout().multipliedBy(2));
    }

    /** Says what to send at the moment of sending. */
    interface Arguments {

        /** Whose monitor is held from asking this to having sent, so that requests can be put in order. */
        default Object monitor() {
            return this;
        }

        /**
         * The script's arguments.
         *
         * @param wire on which connection they will be sent
         * @throws BackendUnavailableException if nothing is to be sent any more
         */
        String[] on(Wire wire);
    }

    /** The connection, for what is no script, once the nodes that have some keys are reached; or {@link BackendUnavailableException}. */
    CompletableFuture<Wire> wire(List<String> keys) {
        return link.get().thenCompose(wire -> reached(wire, keys).thenApply(connected -> wire));
    }

    private CompletableFuture<?> reached(Wire wire, List<String> keys) {
        try {
            return wire.reach(keys).exceptionallyCompose(failed -> CompletableFuture.failedFuture(notReached(failed)));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(notReached(e));
        }
    }

    private BackendUnavailableException notReached(Throwable failed) {
        return new BackendUnavailableException("cannot use " + target + ": " + RedisErrors.reason(failed), failed);
    }

    /** Runs a script. Fails in the two ways of a backend only. */
    CompletableFuture<List<Object>> run(Lua script, String[] keys, String... arguments) {
        return run(script, keys, (Arguments) wire -> arguments);
    }

    /** Runs a script. Fails in the two ways of a backend only. */
    CompletableFuture<List<Object>> run(Lua script, String[] keys, Arguments arguments) {
        CompletableFuture<List<Object>> answer = new CompletableFuture<>();
        var unused = link.get().whenComplete((wire, refused) -> {
            if (refused != null) {
                answer.completeExceptionally(RedisErrors.of(target, refused));
            } else {
                new Call(script, keys, arguments, wire, answer).begin();
            }
        });
        return answer;
    }

    /** One run of a script. */
    private final class Call implements Unanswered.Request {

        private final Lua script;
        private final String[] keys;
        private final Arguments arguments;
        private final Wire wire;
        private final CompletableFuture<List<Object>> answer;
        private long sentAt;
        private @Nullable RedisFuture<List<Object>> reply;

        private Call(
                Lua script, String[] keys, Arguments arguments, Wire wire, CompletableFuture<List<Object>> answer) {
            this.script = script;
            this.keys = keys;
            this.arguments = arguments;
            this.wire = wire;
            this.answer = answer;
        }

        private void begin() {
            boolean news = script instanceof Script && !known.contains(script);
            if (wire.single()) {
                send(news);
                return;
            }
            var unused = reached(wire, List.of(keys[0])).whenComplete((connected, failed) -> {
                if (failed == null) {
                    send(news);
                } else {
                    answer.completeExceptionally(RedisErrors.of(target, failed));
                }
            });
        }

        /** By its digest, but for the first time; when the server has lost it the script itself follows, on the same connection. */
        private void send(boolean whole) {
            RedisFuture<List<Object>> sent;
            sentAt = clock.nanos();
            try {
                synchronized (arguments.monitor()) {
                    String[] values = arguments.on(wire);
                    sent = whole
                            ? wire.commands().eval(script.text(), ScriptOutputType.MULTI, keys, values)
                            : wire.commands().evalsha(script.sha1(), ScriptOutputType.MULTI, keys, values);
                }
            } catch (RuntimeException e) {
                answer.completeExceptionally(RedisErrors.of(target, e));
                return;
            }
            reply = sent;
            unanswered.add(this);
            var unused = sent.whenComplete((values, failed) -> {
                unanswered.remove(this);
                if (failed == null) {
                    heardAt = clock.nanos();
                    if (whole && script instanceof Script) {
                        known.add(script);
                    }
                    answered(values);
                } else if (failed instanceof RedisNoScriptException && !whole) {
                    send(true);
                } else {
                    distrust(failed);
                    answer.completeExceptionally(RedisErrors.of(target, failed));
                }
            });
        }

        @Override
        public long sentAt() {
            return sentAt;
        }

        /** If the driver has not sent it yet, it never will. */
        @Override
        public void expire() {
            Objects.requireNonNull(reply)
                    .toCompletableFuture()
                    .completeExceptionally(new RedisCommandTimeoutException(
                            "not answered within " + commandTimeout.toMillis() + " ms"));
        }

        private void answered(List<Object> values) {
            if (replicas == 0 || !script.wrote(values)) {
                answer.complete(values);
                return;
            }
            var unused = wire.commands()
                    .waitForReplication(replicas, replicationMillis)
                    .whenComplete((confirmed, failed) -> {
                        if (confirmed != null && confirmed >= replicas) {
                            answer.complete(values);
                        } else {
                            answer.completeExceptionally(unconfirmed(confirmed, failed));
                        }
                    });
        }

        private OutcomeUnknownException unconfirmed(@Nullable Long confirmed, @Nullable Throwable failed) {
            String found = failed == null ? confirmed + " did" : RedisErrors.reason(failed);
            return new OutcomeUnknownException(
                    target + " ran the request, but " + replicas + " replicas had to confirm it and " + found, failed);
        }

        /** A server that hangs, or that became a replica, keeps its connections open: another look may find the right one. */
        private void distrust(Throwable failed) {
            boolean hangs = RedisErrors.isTimeout(failed) && heardAt - sentAt < 0;
            if (hangs || RedisErrors.isFromReplica(failed)) {
                wire.watched().ifPresent(link::drop);
            }
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
