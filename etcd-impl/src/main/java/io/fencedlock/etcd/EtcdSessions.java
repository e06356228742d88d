package io.fencedlock.etcd;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The sessions of a client: one for all its entries, made when the first is wanted, or one for each entry. Thread-safe. */
final class EtcdSessions {

    /** What an entry lives on: the option {@code etcd-lease}. */
    enum Scope {
        /** One etcd lease for the client. */
        CLIENT,
        /** An etcd lease for each lock, with the lock's own lease time; costs a request more to acquire and to release. */
        LOCK
    }

    private final EtcdClient client;
    private final Scope scope;
    private final Duration time;
    private final Consumer<EtcdSession> sweep;
    private final Consumer<EtcdSession> ended;
    private final Set<EtcdSession> live = ConcurrentHashMap.newKeySet();
    private @Nullable EtcdSession shared;

    EtcdSessions(
            EtcdClient client, Scope scope, Duration time, Consumer<EtcdSession> sweep, Consumer<EtcdSession> ended) {
        this.client = client;
        this.scope = scope;
        this.time = time;
        this.sweep = sweep;
        this.ended = ended;
    }

    /** The session for a contender's next request; the contender uses it from now on. */
    CompletableFuture<EtcdSession> forContender(Contender contender, Duration lease) {
        EtcdSession session = scope == Scope.CLIENT ? shared() : own(contender, lease);
        contender.use(session);
        return session.ready();
    }

    private synchronized EtcdSession shared() {
        if (shared == null || shared.isOver()) {
            shared = make(time);
        }
        return shared;
    }

    private EtcdSession own(Contender contender, Duration lease) {
        EtcdSession present = contender.session();
        return present == null || present.isOver() ? make(lease) : present;
    }

    private EtcdSession make(Duration lease) {
        EtcdSession made = new EtcdSession(client, seconds(lease), sweep, session -> {
            live.remove(session);
            ended.accept(session);
        });
        live.add(made);
        return made;
    }

    /** Whole seconds, rounded up. */
    static long seconds(Duration time) {
        return TimeUnit.NANOSECONDS.toSeconds(time.toNanos() + TimeUnit.SECONDS.toNanos(1) - 1);
    }

    /** The lease time that a lock gets which asks for one. */
    Duration granted(EtcdSession session, Duration lease) {
        return scope == Scope.CLIENT ? lease : session.timeout();
    }

    /** A contender is through. */
    void done(Contender contender) {
        EtcdSession session = contender.session();
        if (scope == Scope.LOCK && session != null) {
            live.remove(session);
            session.close();
        }
    }

    /** Takes all back; completes when the server has confirmed, or did not answer in time. */
    CompletableFuture<Void> close() {
        return CompletableFuture.allOf(live.stream().map(EtcdSession::close).toArray(CompletableFuture<?>[]::new));
    }
}
