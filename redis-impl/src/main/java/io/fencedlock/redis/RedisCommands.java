package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.LockClock;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs scripts on the client's one connection for commands. Thread-safe, never blocks. */
final class RedisCommands implements AutoCloseable {

    private final String target;
    private final LockClock clock;
    private final Link<Wire> link;
    /** When the server was last heard. */
    private volatile long heardAt;

    RedisCommands(RedisSettings settings, Driver driver, LockClock clock) {
        target = settings.target();
        this.clock = clock;
        heardAt = clock.nanos();
        link = new Link<>(target, driver::connect, Wire::watched, clock, settings.commandTimeout());
        link.start();
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

    /** Runs a script. Fails in the two ways of a backend only. */
    CompletableFuture<List<Object>> run(Script script, String[] keys, String... arguments) {
        return run(script, keys, (Arguments) wire -> arguments);
    }

    /** Runs a script. Fails in the two ways of a backend only. */
    CompletableFuture<List<Object>> run(Script script, String[] keys, Arguments arguments) {
        CompletableFuture<List<Object>> answer = new CompletableFuture<>();
        var unused = link.get().whenComplete((wire, refused) -> {
            if (refused != null) {
                answer.completeExceptionally(RedisErrors.of(target, refused));
            } else {
                send(new Call(script, keys, arguments, wire, clock.nanos(), answer), false);
            }
        });
        return answer;
    }

    private record Call(
            Script script,
            String[] keys,
            Arguments arguments,
            Wire wire,
            long sentAt,
            CompletableFuture<List<Object>> answer) {}

    /** By its digest; the script itself follows on the same connection when the server has lost it. */
    private void send(Call call, boolean whole) {
        RedisFuture<List<Object>> reply;
        try {
            synchronized (call.arguments().monitor()) {
                String[] arguments = call.arguments().on(call.wire());
                var commands = call.wire().commands();
                reply = whole
                        ? commands.eval(call.script().text(), ScriptOutputType.MULTI, call.keys(), arguments)
                        : commands.evalsha(call.script().sha1(), ScriptOutputType.MULTI, call.keys(), arguments);
            }
        } catch (RuntimeException e) {
            call.answer().completeExceptionally(RedisErrors.of(target, e));
            return;
        }
        var unused = reply.whenComplete((values, failed) -> {
            if (failed == null) {
                heardAt = clock.nanos();
                call.answer().complete(values);
            } else if (failed instanceof RedisNoScriptException && !whole) {
                send(call, true);
            } else {
                distrust(call, failed);
                call.answer().completeExceptionally(RedisErrors.of(target, failed));
            }
        });
    }

    /** A server that hangs, or that became a replica, keeps its connections open: another look may find the right one. */
    private void distrust(Call call, Throwable failed) {
        boolean hangs = RedisErrors.isTimeout(failed) && heardAt - call.sentAt() < 0;
        if (hangs || RedisErrors.isFromReplica(failed)) {
            call.wire().watched().ifPresent(link::drop);
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
