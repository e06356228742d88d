package io.fencedlock.benchmarks.peers;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.StaleTokenException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The program of a {@link PeerHolder}: does what the lines of its input say and ends with them. */
final class PeerHolderMain {

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final FencedLocks client;
    private final FencedRegister register;
    private final AtomicInteger told = new AtomicInteger();
    private @Nullable Lease lease;

    private PeerHolderMain(FencedLocks client, FencedRegister register) {
        this.client = client;
        this.register = register;
    }

    /** Arguments: way, port, lease in ms, URL of the register. */
    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        Duration lease = Duration.ofMillis(Long.parseLong(args[2]));
        try (FencedLocks client = PeerTarget.open(Way.of(args[0]), server, lease, true);
                FencedRegister register = FencedRegister.connect(args[3])) {
            PeerHolderMain holder = new PeerHolderMain(client, register);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(holder.answer(line.split("\t")));
            }
        }
        System.exit(0); // threads of the library are not ours
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "acquire" -> acquire(words[1]);
                case "wait" -> startWaiting(words[1]);
                case "write" -> Boolean.toString(write(words[1], words[2]));
                case "valid" -> Boolean.toString(held().isValid());
                case "told" -> Integer.toString(told());
                default -> "error what is " + words[0] + "?";
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "error interrupted";
        } catch (UnsupportedOperationException e) {
            return "unsupported " + e.getMessage();
        } catch (RuntimeException e) {
            return "error " + e.toString().replaceAll("\\s+", " ");
        }
    }

    private String acquire(String lock) throws InterruptedException {
        Lease acquired = client.get(lock).tryAcquire(PATIENCE).orElseThrow();
        lease = acquired;
        try {
            acquired.onLost(reason -> told.incrementAndGet());
        } catch (UnsupportedOperationException e) {
            told.set(-1);
        }
        return acquired.token() + " " + acquired.grant().holder();
    }

    private int told() {
        if (told.get() < 0) {
            held().lost(); // says why not
        }
        return told.get();
    }

    private String startWaiting(String lock) throws InterruptedException {
        client.get(lock + "-connected").tryAcquire(PATIENCE).ifPresent(Lease::close);
        client.get(lock).acquireAsync();
        return "waiting";
    }

    private boolean write(String resource, String value) {
        try {
            register.write(resource, held().mark(), value);
            return true;
        } catch (StaleTokenException e) {
            return false;
        }
    }

    private Lease held() {
        if (lease == null) {
            throw new IllegalStateException("nothing was acquired");
        }
        return lease;
    }
}
