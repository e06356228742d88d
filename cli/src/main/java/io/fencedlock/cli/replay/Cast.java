package io.fencedlock.cli.replay;

import java.time.Duration;
import java.util.List;

/**
 * The three workers of a replay, on one backend.
 *
 * @param workers worker-A, worker-B, worker-C
 * @param clock the clock of their timeline
 * @param lease the lease time that they ask for
 * @param patience how long one waits for a lock that a lost holder still has
 * @param pausing how a worker is paused, in words
 */
record Cast(List<Worker> workers, StageClock clock, Duration lease, Duration patience, String pausing)
        implements AutoCloseable {

    @Override
    public void close() {
        workers.forEach(Worker::close);
    }
}
