package io.fencedlock.cli.replay;

import io.fencedlock.LockClock;
import io.fencedlock.ManualClock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A worker in a thread, for the store in memory: time passes only while somebody waits for a lock. */
final class ThreadWorker implements Worker {
    private static final Duration TICK = Duration.ofMillis(10);
    private static final long REAL_TICK_MILLIS = 5;
    /** What needs no time of the clock is done by then. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private static final Message END = Message.order("end");

    private final String name;
    private final ManualClock world;
    private final PausableClock clock;
    private final Hands hands;
    private final BlockingQueue<Message> orders = new LinkedBlockingQueue<>();
    private final BlockingQueue<Message> reports = new LinkedBlockingQueue<>();
    private boolean paused;
    private boolean waiting;

    /** Makes its tools with the clock that it sees. */
    ThreadWorker(String name, ManualClock world, Function<LockClock, Tools> tools) {
        this.name = name;
        this.world = world;
        clock = new PausableClock(world);
        hands = new Hands(tools.apply(clock));
        Thread thread = new Thread(this::work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void work() {
        try {
            for (Message order = orders.take(); !order.equals(END); order = orders.take()) {
                awaitResumed();
                reports.add(hands.perform(order));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void awaitResumed() throws InterruptedException {
        while (paused) {
            wait();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void begin(Message order) {
        waiting = order.has("waitMs") && order.number("waitMs") > 0;
        orders.add(order);
    }

    @Override
    public Message end(Duration limit) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < limit.toNanos()) {
            Message report = poll();
            if (report != null) {
                return Worker.checked(name, report);
            }
            if (waiting && System.nanoTime() - start > AT_ONCE.toNanos()) {
                world.advance(TICK);
            }
        }
        throw new IllegalStateException(name + " says nothing within " + limit);
    }

    private @Nullable Message poll() {
        try {
            return reports.poll(REAL_TICK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    @Override
    public synchronized void pause() {
        paused = true;
        clock.pause();
    }

    @Override
    public void resume() {
        synchronized (this) {
            paused = false;
            notifyAll();
        }
        clock.resume();
    }

    @Override
    public void close() {
        resume();
        orders.add(END);
        hands.close();
    }
}
