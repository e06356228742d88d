package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of {@link StoresTest}: threads that each raise a number in a file, read, add one, write, under one lock, and note token and number in a
 * log. {@code args}: url, lock name, number file, log file, threads, rounds.
 */
final class Incrementer {

    private Incrementer() {}

    public static void main(String[] args) throws Exception {
        Path number = Path.of(args[2]);
        Path log = Path.of(args[3]);
        List<Throwable> failures = new ArrayList<>();
        try (FencedLocks locks = FencedLocks.connect(args[0])) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(args[4]); i++) {
                Thread thread = new Thread(() -> {
                    try {
                        for (int round = 0; round < Integer.parseInt(args[5]); round++) {
                            try (Lease lease = locks.get(args[1]).acquire()) {
                                raise(number, log, lease.token());
                            }
                        }
                    } catch (InterruptedException | IOException | RuntimeException e) {
                        synchronized (failures) {
                            failures.add(e);
                        }
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        synchronized (failures) {
            failures.forEach(Throwable::printStackTrace);
            System.out.println(failures.isEmpty() ? "done" : "failed");
        }
    }

    private static void raise(Path number, Path log, long token) throws IOException {
        int seen = Integer.parseInt(Files.readString(number));
        Files.writeString(number, Integer.toString(seen + 1));
        Files.writeString(log, token + " " + (seen + 1) + "\n", StandardOpenOption.APPEND);
    }
}
