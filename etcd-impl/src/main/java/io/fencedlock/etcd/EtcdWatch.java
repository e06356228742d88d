package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells waiters when the entry before theirs is gone. What it tells is a hint: a broken stream, a refused watch and a deletion look the same, and
 * whoever waits asks again. Thread-safe.
 *
 * <p>The server looks after a watch that begins in the past only ten times a second, and a watch for now is one in the past when a write comes
 * between: far too late for a quick hand-over. So waiters of a short queue share a watch over the whole queue, which is there before they
 * come. In a long queue that would tell everybody of everything; there each waiter watches the entry before its own, and has to wait long
 * enough for the server to catch up.
 */
final class EtcdWatch {

    /** Up to how many entries a queue is short: a hand-over takes more than a millisecond, so a longer one moves on in more than a tenth of a second. */
    private static final int SHORT_QUEUE = 64;

    /** After a stream that broke at once there is none for so long: waiters go by their re-check. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final EtcdClient client;
    /** Guarded by this, as all below. */
    private final Map<ByteString, QueueWatch> queues = new HashMap<>();

    private final Map<ByteString, WatchStream.Watching> watchingQueues = new HashMap<>();
    private final Map<Hint, Runnable> cancels = new HashMap<>();
    private @Nullable WatchStream stream;
    private long openedAt;
    private long restUntil;

    EtcdWatch(EtcdClient client) {
        this.client = client;
        restUntil = client.clock().nanos();
    }

    /**
     * Waits for the end of an entry.
     *
     * @param queue the beginning of its queue's keys
     * @param entry an entry that was there
     * @param seen the revision at which it was there
     * @param length how many entries the queue had then
     */
    Hint await(ByteString queue, ByteString entry, long seen, long length) {
        Hint hint = Hint.on(entry, seen);
        QueueWatch shared;
        synchronized (this) {
            WatchStream open = open();
            if (open == null) {
                return hint;
            }
            shared = shared(open, queue, length);
            if (shared == null) {
                new EntryWatch(open, hint).start();
            } else {
                cancels.put(hint, () -> shared.remove(hint, client.clock().nanos()));
            }
        }
        if (shared != null) {
            shared.add(hint, client.clock().nanos());
        }
        return hint;
    }

    /** Nobody waits by it any more. */
    void cancel(Hint hint) {
        Runnable cancel;
        synchronized (this) {
            cancel = cancels.remove(hint);
        }
        if (cancel != null) {
            cancel.run();
        }
        hint.tell();
    }

    /** The connection has moved: a stream over the old one may be dead without knowing it. */
    void reset() {
        WatchStream old;
        synchronized (this) {
            old = stream;
        }
        if (old != null) {
            old.end();
        }
    }

    /** Ends the watches of queues in which nobody has waited for a while. */
    synchronized void prune() {
        long unused = client.clock().nanos() - UNUSED_NANOS;
        List<ByteString> over = new ArrayList<>();
        queues.forEach((queue, watch) -> {
            if (watch.isUnusedSince(unused)) {
                over.add(queue);
            }
        });
        for (ByteString queue : over) {
            queues.remove(queue);
            WatchStream.Watching watching = watchingQueues.remove(queue);
            if (stream != null && watching != null) {
                stream.cancel(watching);
            }
        }
    }

    private @Nullable WatchStream open() {
        long now = client.clock().nanos();
        if (stream == null && now - restUntil >= 0) {
            openedAt = now;
            WatchStream opened = new WatchStream(client, this::ended);
            stream = opened;
            opened.start(client.headersAtHand());
        }
        return stream;
    }

    private synchronized void ended() {
        long now = client.clock().nanos();
        if (now - openedAt < REST_NANOS) {
            restUntil = now + REST_NANOS;
        }
        stream = null;
        queues.clear();
        watchingQueues.clear();
        cancels.clear();
    }

    private @Nullable QueueWatch shared(WatchStream open, ByteString queue, long length) {
        QueueWatch present = queues.get(queue);
        if (length > SHORT_QUEUE) {
            return present != null && present.isUsed() ? present : null;
        }
        if (present != null) {
            return present;
        }
        QueueWatch made =
                new QueueWatch(this::look, () -> forget(queue), client.clock().nanos());
        WatchStream.Watching watching = open.watch(queue, EtcdKeys.end(queue), 0, made);
        if (watching == null) {
            return null;
        }
        queues.put(queue, made);
        watchingQueues.put(queue, watching);
        return made;
    }

    private synchronized void forget(ByteString queue) {
        queues.remove(queue);
        watchingQueues.remove(queue);
    }

    private void look(Hint hint) {
        client.range(RangeRequest.newBuilder().setKey(hint.key()).setKeysOnly(true))
                .whenComplete((answer, failure) -> {
                    boolean there = answer != null
                            && answer.getKvsCount() == 1
                            && answer.getKvs(0).getCreateRevision() <= hint.seen();
                    if (!there) {
                        cancel(hint);
                    }
                });
    }

    /** A watch on one entry from now, and, if the store has gone on since it was seen, a second one from there. */
    private final class EntryWatch implements WatchStream.Listener {

        private final WatchStream on;
        private final Hint hint;
        private final List<WatchStream.Watching> watches = new ArrayList<>(2);

        private EntryWatch(WatchStream on, Hint hint) {
            this.on = on;
            this.hint = hint;
        }

        private void start() {
            cancels.put(hint, this::stop);
            watch(0);
        }

        private void watch(long from) {
            WatchStream.Watching watching = on.watch(hint.key(), ByteString.EMPTY, from, this);
            if (watching == null) {
                hint.tell();
            } else {
                synchronized (this) {
                    watches.add(watching);
                }
                if (hint.heard().isDone()) {
                    on.cancel(watching); // it may have been stopped before this watch was known
                }
            }
        }

        private synchronized void stop() {
            watches.forEach(on::cancel);
        }

        @Override
        public void began(long revision) {
            boolean first;
            synchronized (this) {
                first = watches.size() == 1;
            }
            if (first && revision > hint.seen() && !hint.heard().isDone()) {
                watch(hint.seen() + 1);
            }
        }

        @Override
        public void deleted(ByteString key, long revision) {
            if (revision > hint.seen()) {
                cancel(hint);
            }
        }

        @Override
        public void ended() {
            cancel(hint);
        }
    }
}
