package io.fencedlock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Clients of one kind that contend, opened once and closed together.
 *
 * @param all the clients
 */
record Crowd(List<Subject.Client> all) implements Subject.Client {

    /** So many clients of a subject in place of one. */
    static Subject of(Subject subject, int size) {
        return Subject.of(
                subject.name(),
                (server, lease) -> {
                    Crowd crowd = new Crowd(new ArrayList<>());
                    try {
                        for (int i = 0; i < size; i++) {
                            Subject.Client one = subject.open(server, lease);
                            crowd.all.add(one);
                            one.acquire("warm-" + i).release();
                        }
                        return crowd;
                    } catch (Exception e) {
                        crowd.close();
                        throw e;
                    }
                },
                subject.traits().toArray(Subject.Trait[]::new));
    }

    @Override
    public Subject.Held acquire(String name) {
        throw new UnsupportedOperationException("each of the clients acquires for itself");
    }

    @Override
    public void close() {
        CompletableFuture.allOf(all.stream()
                        .map(client ->
                                CompletableFuture.runAsync(client::close, run -> new Thread(run, "close").start()))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }
}
