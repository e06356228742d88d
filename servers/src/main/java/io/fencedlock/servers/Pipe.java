package io.fencedlock.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a proxied connection. One thread reads, another one delivers, so that a delay delays each byte by the same time and
 * is no limit to the throughput. The end of the stream is delivered like a byte: a stalled or dropping direction hides it.
 */
final class Pipe {
    private static final int CHUNK = 64 * 1024;
    private static final byte[] END = {};
    private static final int MOST_WAITING = 256;

    /** Sees each chunk before it is delivered, and says what is delivered. */
    interface Watcher {
        byte[] beforeDelivery(byte[] bytes);
    }

    /** Bytes and the time they came in; no bytes: the end of the stream. */
    private record Chunk(ByteBuffer bytes, long nanos) {
        static Chunk of(byte[] bytes) {
            return new Chunk(ByteBuffer.wrap(bytes), System.nanoTime());
        }

        boolean isEnd() {
            return bytes.capacity() == 0;
        }
    }

    private final Socket from;
    private final Socket to;
    private final Watcher watcher;
    private final Runnable atEnd;
    private final Deque<Chunk> waiting = new ArrayDeque<>();
    private Fault fault;
    private @Nullable Runnable atNextDrop;
    private boolean closed;

    Pipe(Socket from, Socket to, Fault fault, Watcher watcher, Runnable atEnd) {
        this.from = from;
        this.to = to;
        this.fault = fault;
        this.watcher = watcher;
        this.atEnd = atEnd;
    }

    void start(String name) {
        thread(name + "-reader", this::read);
        thread(name + "-writer", this::write);
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    synchronized void set(Fault next) {
        fault = next;
        atNextDrop = null;
        notifyAll();
    }

    /** Drops from now on, and calls back once something has been dropped. */
    synchronized void drop(Runnable atFirst) {
        set(Fault.drop());
        atNextDrop = atFirst;
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void read() {
        byte[] buffer = new byte[CHUNK];
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                add(Chunk.of(Arrays.copyOf(buffer, n)));
            }
            add(Chunk.of(END));
        } catch (IOException e) {
            addEnd();
        } catch (InterruptedException e) {
            atEnd.run();
        }
    }

    private void addEnd() {
        try {
            add(Chunk.of(END));
        } catch (InterruptedException e) {
            atEnd.run();
        }
    }

    private synchronized void add(Chunk chunk) throws InterruptedException {
        while (waiting.size() >= MOST_WAITING && !closed) {
            wait();
        }
        waiting.add(chunk);
        notifyAll();
    }

    private void write() {
        try {
            OutputStream out = to.getOutputStream();
            for (Chunk chunk = next(); chunk != null && !chunk.isEnd(); chunk = next()) {
                out.write(watcher.beforeDelivery(chunk.bytes().array()));
            }
        } catch (IOException e) {
            // the receiver has gone: both ends are shut below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        atEnd.run();
    }

    /** The next chunk that is to be delivered, at the time it is to be delivered; null when closed. */
    private synchronized @Nullable Chunk next() throws InterruptedException {
        while (!closed) {
            Chunk first = waiting.peek();
            if (first == null || fault.kind() == Fault.Kind.STALL) {
                wait();
            } else if (fault.kind() == Fault.Kind.DROP) {
                take();
                dropped();
            } else {
                long left = first.nanos() + fault.delayNanos() - System.nanoTime();
                if (left <= 0) {
                    return take();
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
        return null;
    }

    private Chunk take() {
        notifyAll(); // the reader may wait for room
        return waiting.remove();
    }

    private void dropped() {
        Runnable callback = atNextDrop;
        atNextDrop = null;
        if (callback != null) {
            callback.run();
        }
    }
}
