package io.fencedlock.compliance;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.StaleTokenException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The program of a {@link WorkerHolder}: does what the lines of its input say and ends with them. */
final class HolderMain {

    /** The environment variable with the client's URL. */
    static final String URL = "FENCEDLOCK_HOLDER_URL";

    /** The environment variable with the register's URL. */
    static final String REGISTER = "FENCEDLOCK_HOLDER_REGISTER";

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final FencedLocks client;
    private final String registerUrl;
    private final AtomicInteger told = new AtomicInteger();
    private @Nullable FencedRegister register;
    private @Nullable Lease lease;

    private HolderMain(FencedLocks client, String registerUrl) {
        this.client = client;
        this.registerUrl = registerUrl;
    }

    public static void main(String[] args) throws IOException {
        String url = System.getenv(URL);
        String registerUrl = System.getenv(REGISTER);
        if (url == null || registerUrl == null) {
            throw new IllegalStateException(URL + " and " + REGISTER + " have to be set");
        }
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (FencedLocks client = FencedLocks.configure().url(url).connect()) {
            HolderMain holder = new HolderMain(client, registerUrl);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(holder.answer(line.split("\t")));
            }
        }
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "acquire" -> acquire(words[1]);
                case "wait" -> startWaiting(words[1]);
                case "write" -> Boolean.toString(write(words[1], words[2]));
                case "valid" -> Boolean.toString(held().isValid());
                case "told" -> Integer.toString(told.get());
                default -> "error what is " + words[0] + "?";
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "error interrupted";
        } catch (RuntimeException e) {
            return "error " + e.toString().replaceAll("\\s+", " ");
        }
    }

    private String acquire(String lock) throws InterruptedException {
        try {
            register(); // connected before it is needed
        } catch (LockConfigurationException e) {
            // the store has none, and no rule asks for a write then
        }
        lease = client.get(lock).tryAcquire(PATIENCE).orElseThrow(() -> new IllegalStateException("not granted"));
        lease.onLost(reason -> told.incrementAndGet());
        return lease.token() + " " + lease.grant().holder();
    }

    private String startWaiting(String lock) throws InterruptedException {
        client.get(lock + "-connected").tryAcquire(PATIENCE).ifPresent(Lease::close);
        client.get(lock).acquireAsync();
        return "waiting";
    }

    private boolean write(String resource, String value) {
        try {
            register().write(resource, held().mark(), value);
            return true;
        } catch (StaleTokenException e) {
            return false;
        }
    }

    private FencedRegister register() {
        if (register == null) {
            register = FencedLocks.configure().url(registerUrl).openRegister();
        }
        return register;
    }

    private Lease held() {
        if (lease == null) {
            throw new IllegalStateException("nothing was acquired");
        }
        return lease;
    }
}
