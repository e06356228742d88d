package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells when keys are deleted: all watches of a client on one stream. What it tells is a hint; a broken stream, a refused watch and a deletion look
 * the same, and whoever waits asks again. Thread-safe.
 *
 * <p>A watch that begins in the past is served by the server only ten times a second, far too late for a hand-over. So each begins now; and if the
 * store had gone on since the key was seen, the gap is closed by a second watch from there, and for the key of the present holder, which may be gone
 * at any moment, by a look at it.
 */
final class EtcdWatch {

    /** After a stream that broke at once there is none for so long: waiters go by their re-check. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EtcdClient client;
    private @Nullable Stream stream;
    private long restUntil;

    EtcdWatch(EtcdClient client) {
        this.client = client;
        restUntil = client.clock().nanos();
    }

    /** The wait for one key's end. */
    static final class Hint {

        private final ByteString key;
        private final long seen;
        private final boolean urgent;
        private final CompletableFuture<Void> heard = new CompletableFuture<>();
        /** The server's numbers of its watches. Guarded by the stream. */
        private final List<Long> watches = new ArrayList<>();

        private @Nullable Stream stream;

        private Hint(ByteString key, long seen, boolean urgent) {
            this.key = key;
            this.seen = seen;
            this.urgent = urgent;
        }

        CompletableFuture<Void> heard() {
            return heard;
        }
    }

    /** A watch asked for and not yet confirmed; the server confirms in the order of asking. */
    private record Asked(Hint hint, boolean fromNow) {}

    /**
     * Waits for the end of a key.
     *
     * @param key a key that was there
     * @param seen the revision at which it was there
     * @param urgent whether it may be gone at any moment
     */
    Hint await(ByteString key, long seen, boolean urgent) {
        Hint hint = new Hint(key, seen, urgent);
        Stream open = open();
        if (open != null) {
            open.watch(hint);
        }
        return hint;
    }

    /** Nobody waits any more. */
    void cancel(Hint hint) {
        Stream its = hint.stream;
        if (its != null) {
            its.cancel(hint);
        }
    }

    /** The connection has moved: a stream over the old one may be dead without knowing it. */
    void reset() {
        Stream old;
        synchronized (this) {
            old = stream;
            stream = null;
        }
        if (old != null) {
            old.call.cancel("moved to another connection", null);
            old.end();
        }
    }

    private synchronized @Nullable Stream open() {
        if (stream == null && client.clock().nanos() - restUntil >= 0) {
            Stream opened = new Stream(client.clock().nanos());
            stream = opened;
            opened.start();
        }
        return stream;
    }

    private void ended(Stream ended) {
        synchronized (this) {
            long now = client.clock().nanos();
            if (now - ended.openedNanos < REST_NANOS) {
                restUntil = now + REST_NANOS;
            }
            if (stream == ended) {
                stream = null;
            }
        }
        ended.end();
    }

    /** Its methods that send hold its lock, as a call takes one message at a time; hints are told without it. */
    private final class Stream extends ClientCall.Listener<WatchResponse> {

        private static final int WINDOW = 16;

        private final long openedNanos;
        private final Queue<Asked> asked = new ArrayDeque<>();
        private final Map<Long, Hint> watched = new HashMap<>();
        private final ClientCall<WatchRequest, WatchResponse> call = client.stream(WatchGrpc.getWatchMethod());
        private boolean over;

        private Stream(long now) {
            openedNanos = now;
        }

        private synchronized void start() {
            call.start(this, client.headersAtHand());
            call.request(WINDOW);
        }

        private void watch(Hint hint) {
            boolean late;
            synchronized (this) {
                late = over;
                if (!late) {
                    hint.stream = this;
                    ask(hint, 0);
                }
            }
            if (late) {
                hint.heard.complete(null);
            }
        }

        private void ask(Hint hint, long from) {
            asked.add(new Asked(hint, from == 0));
            call.sendMessage(WatchRequest.newBuilder()
                    .setCreateRequest(WatchCreateRequest.newBuilder()
                            .setKey(hint.key)
                            .setStartRevision(from)
                            .addFilters(WatchCreateRequest.FilterType.NOPUT))
                    .build());
        }

        private synchronized void cancel(Hint hint) {
            hint.heard.complete(null);
            hint.watches.forEach(this::drop);
            hint.watches.clear();
        }

        private void drop(long watch) {
            watched.remove(watch);
            if (!over) {
                call.sendMessage(WatchRequest.newBuilder()
                        .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(watch))
                        .build());
            }
        }

        @Override
        public void onMessage(WatchResponse response) {
            Hint told;
            Hint checked = null;
            synchronized (this) {
                call.request(1);
                if (response.getCreated()) {
                    Asked confirmed = asked.poll();
                    told = confirmed == null || !response.getCanceled() ? null : confirmed.hint();
                    checked = confirmed == null || told != null ? null : created(confirmed, response);
                } else if (response.getCanceled()) {
                    told = watched.remove(response.getWatchId());
                } else {
                    told = response.getEventsCount() == 0 ? null : watched.get(response.getWatchId());
                }
            }
            if (told != null) {
                cancel(told);
            }
            if (checked != null) {
                look(checked);
            }
        }

        /** Answers the hint if its key has to be looked at. */
        private @Nullable Hint created(Asked confirmed, WatchResponse response) {
            Hint hint = confirmed.hint();
            if (hint.heard.isDone()) {
                drop(response.getWatchId());
                return null;
            }
            watched.put(response.getWatchId(), hint);
            hint.watches.add(response.getWatchId());
            if (!confirmed.fromNow() || response.getHeader().getRevision() <= hint.seen) {
                return null;
            }
            ask(hint, hint.seen + 1);
            return hint.urgent ? hint : null;
        }

        private void look(Hint hint) {
            client.range(RangeRequest.newBuilder().setKey(hint.key).setKeysOnly(true))
                    .whenComplete((answer, failure) -> {
                        if (answer == null || answer.getKvsCount() == 0) {
                            cancel(hint);
                        }
                    });
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ended(this);
        }

        private void end() {
            List<Hint> all;
            synchronized (this) {
                over = true;
                all = new ArrayList<>(watched.values());
                asked.forEach(a -> all.add(a.hint()));
                watched.clear();
                asked.clear();
            }
            all.forEach(hint -> hint.heard.complete(null));
        }
    }
}
