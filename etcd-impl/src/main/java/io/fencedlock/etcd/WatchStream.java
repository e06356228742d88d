package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
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
import org.jspecify.annotations.Nullable;

/** All watches of a client for deletions, on one stream. Thread-safe; listeners are called on the network's thread, without a lock held. */
final class WatchStream extends ClientCall.Listener<WatchResponse> {

    private static final int WINDOW = 16;

    private final ClientCall<WatchRequest, WatchResponse> call;
    private final Runnable ended;
    /** Guarded by this, as all below: watches asked for; the server confirms them in this order. */
    private final Queue<Watching> asked = new ArrayDeque<>();

    private final Map<Long, Watching> confirmed = new HashMap<>();
    private boolean over;

    /** What becomes of a watch. */
    interface Listener {

        /** It began: what is deleted after this revision will be told. */
        void began(long revision);

        /** A key was deleted at a revision. */
        void deleted(ByteString key, long revision);

        /** It tells nothing any more, and need not be cancelled. */
        void ended();
    }

    /** A watch of this stream. */
    static final class Watching {

        private final Listener listener;
        private long number = -1;
        private boolean cancelled;

        private Watching(Listener listener) {
            this.listener = listener;
        }
    }

    /**
     * Makes one over the current connection.
     *
     * @param ended runs once, after all listeners were told
     */
    WatchStream(EtcdClient client, Runnable ended) {
        this.ended = ended;
        call = client.stream(WatchGrpc.getWatchMethod());
    }

    synchronized void start(Metadata headers) {
        call.start(this, headers);
        call.request(WINDOW);
    }

    /**
     * Begins a watch.
     *
     * @param rangeEnd empty for one key
     * @param from the first revision, 0 for now
     * @return null if the stream has ended
     */
    synchronized @Nullable Watching watch(ByteString key, ByteString rangeEnd, long from, Listener listener) {
        if (over) {
            return null;
        }
        Watching watching = new Watching(listener);
        asked.add(watching);
        WatchCreateRequest.Builder create = WatchCreateRequest.newBuilder()
                .setKey(key)
                .setRangeEnd(rangeEnd)
                .setStartRevision(from)
                .addFilters(WatchCreateRequest.FilterType.NOPUT);
        call.sendMessage(WatchRequest.newBuilder().setCreateRequest(create).build());
        return watching;
    }

    synchronized void cancel(Watching watching) {
        if (over || watching.cancelled) {
            return;
        }
        watching.cancelled = true;
        if (watching.number >= 0 && confirmed.remove(watching.number) != null) {
            drop(watching.number);
        }
    }

    private void drop(long number) {
        WatchCancelRequest cancel =
                WatchCancelRequest.newBuilder().setWatchId(number).build();
        call.sendMessage(WatchRequest.newBuilder().setCancelRequest(cancel).build());
    }

    @Override
    public void onMessage(WatchResponse response) {
        Watching watching;
        synchronized (this) {
            if (over) {
                return;
            }
            call.request(1);
            watching = response.getCreated() ? created(response) : confirmed.get(response.getWatchId());
            if (response.getCanceled()) {
                confirmed.remove(response.getWatchId());
            }
        }
        if (watching == null) {
            return;
        }
        if (response.getCanceled()) {
            watching.listener.ended();
        } else if (response.getCreated()) {
            watching.listener.began(response.getHeader().getRevision());
        }
        for (Event event : response.getEventsList()) {
            watching.listener.deleted(event.getKv().getKey(), event.getKv().getModRevision());
        }
    }

    private @Nullable Watching created(WatchResponse response) {
        Watching watching = asked.poll();
        if (watching == null || response.getCanceled()) {
            return watching;
        }
        if (watching.cancelled) {
            drop(response.getWatchId());
            return null;
        }
        watching.number = response.getWatchId();
        confirmed.put(watching.number, watching);
        return watching;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        end();
    }

    /** Ends it, whatever the network says. */
    void end() {
        List<Watching> all;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            all = new ArrayList<>(confirmed.values());
            all.addAll(asked);
        }
        call.cancel("ended by the client", null);
        all.forEach(watching -> watching.listener.ended());
        ended.run();
    }
}
