package io.fencedlock.torture;

import io.fencedlock.compliance.history.Action;
import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** All events of a run, phase by phase, and what is counted while they come. Thread-safe. */
final class Chronicle {
    private List<Event> carried = List.of();
    private List<Event> phase = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final Map<String, Long> lastGrant = new HashMap<>();
    private final Map<String, String> holders = new HashMap<>();
    private final Set<String> computing = new HashSet<>();
    private long grants;
    private long refusals;
    private long losses;

    synchronized void add(Event event) {
        phase.add(event);
        if (event.action() == Action.ACQUIRE && event.phase() == Phase.OK) {
            grants++;
            lastGrant.merge(event.subject(), event.at(), Math::max);
            holders.put(event.holder(), event.process());
            notifyAll();
        } else if (event.phase() == Phase.INVOKE
                && (event.action() == Action.RELEASE || event.action() == Action.WRITE)) {
            computing.remove(event.holder());
        } else if (event.action() == Action.APPLY && event.phase() == Phase.OK && event.more(Event.ADVANCE) != null) {
            computing.add(event.holder());
        } else if (event.action() == Action.APPLY && event.phase() == Phase.FAIL) {
            refusals++;
        } else if (event.action() == Action.LOST) {
            losses++;
        }
    }

    /** A worker met an exception that no method of the library is said to throw. */
    synchronized void complain(String sentence) {
        complaints.add(sentence);
    }

    /** The complaints since the last time. */
    synchronized List<String> complaints() {
        List<String> all = List.copyOf(complaints);
        complaints.clear();
        return all;
    }

    synchronized long grants() {
        return grants;
    }

    /** Writes and readings that the resource refused. */
    synchronized long refusals() {
        return refusals;
    }

    synchronized long losses() {
        return losses;
    }

    /** The workers that have read what they compute something from, and have not written it yet. */
    synchronized Set<String> computing() {
        return computing.stream()
                .flatMap(holder -> Optional.ofNullable(holders.get(holder)).stream())
                .collect(Collectors.toSet());
    }

    /** Waits until each lock was granted after a time; the locks that were not. */
    synchronized List<String> awaitGrants(Collection<String> locks, long since, Duration limit)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        List<String> missing = missing(locks, since);
        for (long left = limit.toNanos(); !missing.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
            missing = missing(locks, since);
        }
        return missing;
    }

    /** The longest time between two grants, of whatever locks, from a time of this phase on. */
    synchronized Duration silenceSince(long begin) {
        long last = begin;
        long longest = 0;
        long[] times = phase.stream()
                .filter(event -> event.action() == Action.ACQUIRE && event.phase() == Phase.OK && event.at() > begin)
                .mapToLong(Event::at)
                .sorted()
                .toArray();
        for (long time : times) {
            longest = Math.max(longest, time - last);
            last = time;
        }
        return Duration.ofNanos(longest);
    }

    private List<String> missing(Collection<String> locks, long since) {
        return locks.stream()
                .filter(lock -> lastGrant.getOrDefault(lock, Long.MIN_VALUE) <= since)
                .toList();
    }

    /** Ends a phase in which nothing is under way any more; its events, and what the next one has to know of it stays. */
    synchronized List<Event> endPhase() {
        List<Event> all = new ArrayList<>(carried);
        all.addAll(phase);
        phase = new ArrayList<>();
        holders.clear();
        computing.clear();
        carried = Carried.from(all);
        return all;
    }
}
