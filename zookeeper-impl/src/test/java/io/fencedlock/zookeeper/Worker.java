package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** A process that holds lock "a", or counts under it, on command. */
final class Worker {

    static final String RESOURCE = "count";

    private Worker() {}

    public static void main(String[] arguments) throws Exception {
        try (FencedLocks locks = FencedLocks.connect(arguments[0]);
                FencedRegister register = FencedRegister.connect(arguments[0])) {
            Rig.ready(locks);
            System.out.println("ready");
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            Lease lease = null;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                switch (line) {
                    case "acquire" -> {
                        lease = locks.get("a").acquire();
                        System.out.println(lease.token());
                    }
                    case "write" -> System.out.println(written(register, lease.mark()));
                    case "valid" -> System.out.println(lease.isValid());
                    default -> {
                        count(locks, register, Integer.parseInt(line));
                        System.out.println("counted");
                    }
                }
            }
        }
    }

    /** After a pause the connection has to be made anew, which takes some tries. */
    private static String written(FencedRegister register, FenceMark mark) {
        while (true) {
            try {
                register.write(RESOURCE, mark, "stale");
                return "written";
            } catch (StaleTokenException e) {
                return "refused";
            } catch (OutcomeUnknownException | BackendUnavailableException e) {
                LockSupport.parkNanos(100_000_000);
            }
        }
    }

    /** Ten threads add to the number in the register, each so many times. */
    private static void count(FencedLocks locks, FencedRegister register, int times) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(10);
        List<Callable<Boolean>> tasks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            tasks.add(() -> {
                for (int j = 0; j < times; j++) {
                    addOne(locks, register);
                }
                return true;
            });
        }
        for (Future<Boolean> done : threads.invokeAll(tasks)) {
            done.get();
        }
        threads.shutdown();
    }

    /** The value is the number and the token of who wrote it. */
    private static void addOne(FencedLocks locks, FencedRegister register) throws InterruptedException {
        try (Lease lease = locks.get("a").acquire()) {
            String[] words = register.read(RESOURCE).orElse("0 0").split(" ", -1);
            if (Long.parseLong(words[1]) >= lease.token()) {
                throw new IllegalStateException("token " + lease.token() + " came after token " + words[1]);
            }
            register.write(RESOURCE, lease.mark(), Integer.parseInt(words[0]) + 1 + " " + lease.token());
        }
    }
}
