package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One watch for all waiters that this client has in one queue; it outlives them for a while. Thread-safe. */
final class QueueWatch implements WatchStream.Listener {

    /** Of how many keys it remembers the last deletion: it may arrive before the waiter for whom it matters. */
    private static final int REMEMBERED = 256;

    private final Consumer<Hint> look;
    private final Runnable ended;
    /** Guarded by this, as all below. */
    private final Map<ByteString, List<Hint>> waiting = new HashMap<>();

    /** With their revisions. */
    private final Map<ByteString, Long> deleted = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteString, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    private long since = Long.MAX_VALUE;
    private boolean over;
    private long lastUse;

    /**
     * Makes one, to be given to a stream.
     *
     * @param look sees whether a hint's key is still there
     */
    QueueWatch(Consumer<Hint> look, Runnable ended, long now) {
        this.look = look;
        this.ended = ended;
        lastUse = now;
    }

    void add(Hint hint, long now) {
        boolean known;
        boolean gap;
        synchronized (this) {
            lastUse = now;
            known = over || deleted.getOrDefault(hint.key(), 0L) > hint.seen();
            gap = since != Long.MAX_VALUE && hint.seen() < since;
            if (!known) {
                waiting.computeIfAbsent(hint.key(), key -> new ArrayList<>(1)).add(hint);
            }
        }
        if (known) {
            hint.tell();
        } else if (gap) {
            look.accept(hint);
        }
    }

    synchronized void remove(Hint hint, long now) {
        lastUse = now;
        waiting.computeIfPresent(hint.key(), (key, hints) -> {
            hints.remove(hint);
            return hints.isEmpty() ? null : hints;
        });
    }

    synchronized boolean isUsed() {
        return !waiting.isEmpty();
    }

    synchronized boolean isUnusedSince(long time) {
        return waiting.isEmpty() && lastUse - time < 0;
    }

    @Override
    public void began(long revision) {
        List<Hint> before;
        synchronized (this) {
            since = revision;
            before = waiting.values().stream()
                    .flatMap(List::stream)
                    .filter(hint -> hint.seen() < revision)
                    .toList();
        }
        before.forEach(look);
    }

    @Override
    public void deleted(ByteString key, long revision) {
        List<Hint> told = new ArrayList<>();
        synchronized (this) {
            deleted.remove(key); // so that it is the newest again
            deleted.put(key, revision);
            waiting.computeIfPresent(key, (none, hints) -> {
                hints.removeIf(hint -> hint.seen() < revision && told.add(hint));
                return hints.isEmpty() ? null : hints;
            });
        }
        told.forEach(Hint::tell);
    }

    @Override
    public void ended() {
        List<Hint> all;
        synchronized (this) {
            over = true;
            all = waiting.values().stream().flatMap(List::stream).toList();
            waiting.clear();
        }
        ended.run();
        all.forEach(Hint::tell);
    }
}
