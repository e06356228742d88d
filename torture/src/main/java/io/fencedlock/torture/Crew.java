package io.fencedlock.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The workers. Used by one thread. */
final class Crew implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Arena arena;
    private final Plan plan;
    private final Duration lease;
    private final Chronicle chronicle;
    private final Desk desk;
    private final Hand[] hands;
    private final int[] lives;
    private List<String> contended = List.of();

    Crew(Arena arena, Plan plan, Duration lease, Chronicle chronicle, Desk desk) throws InterruptedException {
        this.arena = arena;
        this.plan = plan;
        this.lease = lease;
        this.chronicle = chronicle;
        this.desk = desk;
        hands = new Hand[plan.workers()];
        lives = new int[plan.workers()];
        boolean up = false;
        try {
            for (int seat = 0; seat < hands.length; seat++) {
                hands[seat] = hire(seat);
            }
            for (Hand hand : hands) {
                awaitReady(hand);
            }
            up = true;
        } finally {
            if (!up) {
                close();
            }
        }
    }

    private Hand hire(int seat) {
        int life = ++lives[seat];
        List<String> orders = new ArrayList<>(List.of(
                Long.toString(plan.seed() * 1000 + seat * 100L + life),
                Integer.toString(plan.threads()),
                Long.toString(lease.toMillis()),
                arena.url(seat)));
        Arena.options(plan.tokens()).forEach((name, value) -> orders.add(name + "=" + value));
        return new Hand("w" + (seat + 1) + (life == 1 ? "" : "." + life), seat, orders, chronicle, desk);
    }

    private static void awaitReady(Hand hand) throws InterruptedException {
        if (hand.hear(START).isEmpty()) {
            throw new IllegalStateException(hand.name() + " is not ready within " + START.toSeconds() + " s");
        }
    }

    List<Hand> hands() {
        return List.copyOf(Arrays.asList(hands));
    }

    Hand any(Random random) {
        return hands[random.nextInt(hands.length)];
    }

    /** Lets all contend. */
    void go(List<String> locks) {
        contended = locks;
        for (Hand hand : hands) {
            go(hand);
        }
    }

    private void go(Hand hand) {
        List<String> order = new ArrayList<>(List.of("go"));
        order.addAll(contended);
        hand.tell(order);
    }

    /** Puts a new worker, which contends at once, in a killed one's place. */
    void replace(Hand killed) throws InterruptedException {
        killed.close();
        Hand fresh = hire(killed.seat());
        hands[killed.seat()] = fresh;
        awaitReady(fresh);
        go(fresh);
    }

    /** Tells all to finish what they do; the names of those that do not. */
    List<Hand> stop(Duration limit) throws InterruptedException {
        for (Hand hand : hands) {
            hand.tell("stop");
        }
        long deadline = System.nanoTime() + limit.toNanos();
        List<Hand> late = new ArrayList<>();
        for (Hand hand : hands) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            if (hand.hear(left).isEmpty()) {
                late.add(hand);
            }
        }
        return late;
    }

    /** One worker holds each lock once; the locks that it did not get. */
    List<String> last(Hand hand, List<String> locks, Duration wait) throws InterruptedException {
        List<String> order = new ArrayList<>(List.of("last", Long.toString(wait.toMillis())));
        order.addAll(locks);
        hand.tell(order);
        List<String> missed = new ArrayList<>();
        Duration limit = wait.multipliedBy(2);
        for (Optional<String> line = hand.hear(limit); ; line = hand.hear(limit)) {
            if (line.isEmpty()) {
                missed.add("every lock in time: " + hand.name() + " says nothing");
                return missed;
            }
            if (line.get().equals("idle")) {
                return missed;
            }
            if (line.get().startsWith("missed\t")) {
                missed.add(line.get().substring("missed\t".length()));
            }
        }
    }

    /** What a worker said at its end: how long closing took, and which threads were left; empty if it did not end in time. */
    record End(String worker, long millis, String threads) {}

    /** Lets all close their clients; a worker that does not within the limit has no end in the answer. */
    List<End> end(Duration limit) throws InterruptedException {
        for (Hand hand : hands) {
            hand.tell("end");
        }
        List<End> ends = new ArrayList<>();
        for (Hand hand : hands) {
            hand.hear(limit)
                    .map(line -> line.split("\t", -1))
                    .filter(words -> words[0].equals("closed"))
                    .ifPresent(words -> ends.add(new End(hand.name(), Long.parseLong(words[1]), words[2])));
        }
        return ends;
    }

    @Override
    public void close() {
        Arrays.stream(hands).filter(hand -> hand != null).forEach(Hand::close);
    }
}
