package io.fencedlock.compliance;

import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.StaleTokenException;
import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.Recorder;
import io.fencedlock.compliance.history.RecordingResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Many threads of several clients increment one number under one lock, and everything that they see is recorded. */
final class Storm {

    private final Bench bench;
    private final String lock;
    private final int rounds;
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final RecordingResource resource;
    private final AtomicInteger begun = new AtomicInteger();
    /** Read and written without any protection but the lock's. */
    private volatile int counter;

    Storm(Bench bench, String lock, int rounds) {
        this.bench = bench;
        this.lock = lock;
        this.rounds = rounds;
        resource = new RecordingResource(new Recorder("resource", events::add), true);
    }

    void run(List<FencedLocks> clients, int threads) {
        List<Pending<Boolean>> workers = new ArrayList<>();
        for (int client = 0; client < clients.size(); client++) {
            FencedLock shared = clients.get(client).get(lock);
            for (int thread = 0; thread < threads; thread++) {
                Recorder recorder = new Recorder("client-" + client + "-thread-" + thread, events::add);
                workers.add(bench.start("incrementing under lock " + lock, () -> work(shared, recorder)));
            }
        }
        workers.forEach(worker -> bench.awaitRounds(worker).result());
    }

    private boolean work(FencedLock shared, Recorder recorder) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            Lease lease = recorder.tryAcquire(shared, Duration.ofSeconds(20))
                    .orElseThrow(() -> new RuleBroken("lock " + lock + " was not granted within 20 s"));
            try {
                increment(lease);
            } catch (StaleTokenException e) {
                // the checker finds it in the resource's record
            } finally {
                recorder.release(lease);
            }
        }
        return true;
    }

    private void increment(Lease lease) {
        String before = resource.advance(lock, lease.mark()).orElse("0");
        int seen = counter;
        LockSupport.parkNanos(1); // lets others in between the reading and the writing
        resource.write(
                lock, lease.mark(), lease.token() + "-" + begun.incrementAndGet(), before.equals("0") ? null : before);
        counter = seen + 1;
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    int expected() {
        return begun.get();
    }

    int missing() {
        return begun.get() - counter;
    }
}
