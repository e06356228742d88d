package io.fencedlock.redis;

import io.fencedlock.HolderId;
import io.fencedlock.LockClock;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's one subscription, to a channel of its own: a message says which of its holders was handed a lock. Made when it is first
 * needed, kept up from then on. Thread-safe.
 */
final class Wakeups extends RedisPubSubAdapter<String, String> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Wakeups.class);
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final String channel;
    private final Map<HolderId, Contender> contenders;
    private final LockClock clock;
    private final Link<StatefulRedisPubSubConnection<String, String>> link;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile @Nullable StatefulRedisPubSubConnection<String, String> subscribed;

    Wakeups(
            RedisSettings settings,
            Driver driver,
            LockClock clock,
            String channel,
            Map<HolderId, Contender> contenders) {
        this.channel = channel;
        this.contenders = contenders;
        this.clock = clock;
        link = new Link<>(
                "wake-ups of " + settings.target(),
                () -> driver.connectPubSub().thenApply(this::listenOn),
                Optional::of,
                clock,
                settings.commandTimeout());
    }

    /** Whether messages are heard now, so that it makes sense to stand among the waiters. */
    boolean areHeard() {
        StatefulRedisPubSubConnection<String, String> open = subscribed;
        return open != null && open.isOpen();
    }

    /** Sees to it that they are heard soon, and from then on; who has no place by then is told to ask again. */
    void listen() {
        if (!started.get() && started.compareAndSet(false, true)) {
            link.start();
        }
    }

    private StatefulRedisPubSubConnection<String, String> listenOn(StatefulRedisPubSubConnection<String, String> open) {
        open.addListener(this);
        subscribe(open);
        return open;
    }

    private void subscribe(StatefulRedisPubSubConnection<String, String> open) {
        var unused = open.async().subscribe(channel).whenComplete((done, failed) -> {
            if (failed == null) {
                Set<Contender> missedSome = Set.copyOf(contenders.values());
                subscribed = open;
                // Who has come since and stands among the waiters misses nothing.
                contenders.values().stream()
                        .filter(contender -> missedSome.contains(contender)
                                || contender.place().isEmpty())
                        .forEach(contender -> contender.tell(0));
            } else if (open.isOpen()) {
                if (warned.compareAndSet(false, true)) {
                    LOG.warn("waiters are not told of a release but ask once a second: {}", RedisErrors.reason(failed));
                }
                clock.schedule(RETRY.toNanos(), () -> subscribe(open));
            }
        });
    }

    /** On a driver's thread. */
    @Override
    public void message(String from, String message) {
        int colon = message.indexOf(':');
        try {
            HolderId holder = new HolderId(message.substring(0, Math.max(0, colon)));
            String token = message.substring(colon + 1);
            Contender contender = contenders.get(holder);
            if (contender != null) {
                contender.tell(token.isEmpty() ? 0 : Long.parseLong(token));
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("a message on channel {} is not one of ours and is ignored", from);
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
