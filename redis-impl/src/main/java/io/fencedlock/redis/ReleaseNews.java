package io.fencedlock.redis;

import io.fencedlock.LockClock;
import io.fencedlock.LockName;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the nodes of a Redlock tell of releases. A waiter is woken when a majority has told of the same one, for before that it could not
 * have the lock. Connections are made when somebody first waits; a channel is listened to only while somebody waits on it.
 * Thread-safe.
 */
final class ReleaseNews implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReleaseNews.class);
    /** Waiters do not all ask in the same moment, or nobody would have a majority. */
    private static final long SPREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Quorum quorum;
    private final RedisKeys keys;
    private final LockClock clock;
    private final List<Ear> ears = new ArrayList<>();
    private final Map<String, Room> rooms = new HashMap<>();
    private final AtomicBoolean warned = new AtomicBoolean();
    private boolean started;

    ReleaseNews(RedisSettings settings, RedlockNodes nodes, RedisKeys keys, LockClock clock) {
        quorum = nodes.quorum();
        this.keys = keys;
        this.clock = clock;
        nodes.all().forEach(node -> ears.add(new Ear(settings, nodes, node)));
    }

    /** Those who wait on a channel, and the nodes that it is heard from. */
    private static final class Room {
        private final Set<Waiter> waiters = new HashSet<>();
        private final BitSet heard = new BitSet();
    }

    /** Somebody who waits for a lock. */
    final class Waiter implements AutoCloseable {

        private final LockName name;
        private final String channel;
        private final CompletableFuture<Void> changed = new CompletableFuture<>();
        /** Guarded by the news: the holder last told of, and by how many nodes. */
        private String released = "";

        private int times;

        private Waiter(LockName name) {
            this.name = name;
            channel = keys.released(name);
        }

        /** Completes when it is worth asking again. */
        CompletableFuture<Void> changed() {
            return changed;
        }

        private boolean told(String holder) {
            times = holder.equals(released) ? times + 1 : 1;
            released = holder;
            return times == quorum.majority();
        }

        /** Waits no longer. */
        @Override
        public void close() {
            leave(this);
        }
    }

    Waiter enter(LockName name) {
        Waiter waiter = new Waiter(name);
        boolean first;
        boolean fresh;
        synchronized (this) {
            first = !started;
            started = true;
            @Nullable Room room = rooms.get(waiter.channel);
            fresh = room == null;
            if (room == null) {
                room = new Room();
                rooms.put(waiter.channel, room);
            }
            room.waiters.add(waiter);
            if (fresh) {
                ears.forEach(ear -> ear.subscribe(waiter.channel));
            }
        }
        if (first) {
            ears.forEach(Ear::start);
        }
        return waiter;
    }

    private synchronized void leave(Waiter waiter) {
        @Nullable Room room = rooms.get(waiter.channel);
        if (room != null && room.waiters.remove(waiter) && room.waiters.isEmpty()) {
            rooms.remove(waiter.channel);
            ears.forEach(ear -> ear.unsubscribe(waiter.channel));
        }
    }

    private void heard(String channel, int node) {
        Set<Waiter> missedSome = Set.of();
        synchronized (this) {
            @Nullable Room room = rooms.get(channel);
            if (room != null && !room.heard.get(node)) {
                room.heard.set(node);
                if (room.heard.cardinality() == quorum.majority()) {
                    missedSome = Set.copyOf(room.waiters);
                }
            }
        }
        missedSome.forEach(waiter -> waiter.changed.complete(null));
    }

    private void released(String channel, String message) {
        int colon = message.indexOf(':');
        String holder = message.substring(0, Math.max(0, colon));
        String name = message.substring(colon + 1);
        List<Waiter> woken = new ArrayList<>();
        synchronized (this) {
            @Nullable Room room = rooms.get(channel);
            if (room != null) {
                room.waiters.stream()
                        .filter(waiter -> waiter.name.value().equals(name) && waiter.told(holder))
                        .forEach(woken::add);
            }
        }
        woken.forEach(waiter -> clock.schedule(
                ThreadLocalRandom.current().nextLong(SPREAD_NANOS), () -> waiter.changed.complete(null)));
    }

    /** The subscription on one node. */
    private final class Ear extends RedisPubSubAdapter<String, String> {

        private final int node;
        private final Link<StatefulRedisPubSubConnection<String, String>> link;
        /** Guarded by the news. */
        private @Nullable StatefulRedisPubSubConnection<String, String> open;

        private Ear(RedisSettings settings, RedlockNodes nodes, int node) {
            this.node = node;
            RedisSettings own = settings.node(nodes.endpoints().get(node));
            link = new Link<>(
                    "wake-ups of " + own.target(),
                    () -> nodes.drivers().get(node).connectPubSub().thenApply(this::listen),
                    java.util.Optional::of,
                    clock,
                    own.commandTimeout());
        }

        private void start() {
            link.start();
        }

        private StatefulRedisPubSubConnection<String, String> listen(
                StatefulRedisPubSubConnection<String, String> connection) {
            connection.addListener(this);
            synchronized (ReleaseNews.this) {
                open = connection;
                rooms.forEach((channel, room) -> {
                    room.heard.clear(node);
                    subscribe(channel);
                });
            }
            return connection;
        }

        /** With the news' monitor, so that it comes in order with its end. */
        private void subscribe(String channel) {
            StatefulRedisPubSubConnection<String, String> connection = open;
            if (connection == null) {
                return;
            }
            var unused = connection.async().subscribe(channel).whenComplete((done, failed) -> {
                if (failed == null) {
                    heard(channel, node);
                } else if (connection.isOpen() && warned.compareAndSet(false, true)) {
                    LOG.warn("waiters are not told of a release but ask once a second: {}", RedisErrors.reason(failed));
                }
            });
        }

        private void unsubscribe(String channel) {
            StatefulRedisPubSubConnection<String, String> connection = open;
            if (connection != null && connection.isOpen()) {
                var unused = connection.async().unsubscribe(channel);
            }
        }

        /** On a driver's thread. */
        @Override
        public void message(String channel, String message) {
            released(channel, message);
        }
    }

    @Override
    public void close() {
        ears.forEach(ear -> ear.link.close());
    }
}
