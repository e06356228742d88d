package io.fencedlock.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended. Immutable and thread-safe.
 *
 * @param backend what the plan called it
 * @param place the store, in words
 * @param seed the plan's
 * @param time how long it took, start and end of servers and workers apart
 * @param grants locks granted
 * @param refusals writes and readings that the fence refused
 * @param losses leases lost, as told to their holders
 * @param faults how many of each kind were caused, by name
 * @param recoveries how long recovery took, by the name of the fault
 * @param skipped why faults that make sense for the store could not be had, by name
 * @param findings what must not happen, or is declared
 */
public record Summary(
        String backend,
        String place,
        long seed,
        Duration time,
        long grants,
        long refusals,
        long losses,
        Map<String, Integer> faults,
        Map<String, Recovery> recoveries,
        Map<String, String> skipped,
        List<Finding> findings) {

    /** Copies the collections. */
    public Summary {
        faults = Map.copyOf(faults);
        recoveries = Map.copyOf(recoveries);
        skipped = Map.copyOf(skipped);
        findings = List.copyOf(findings);
    }

    /**
     * How many findings of a kind there are.
     *
     * @param kind the kind
     * @return the number
     */
    public long count(Finding.Kind kind) {
        return findings.stream().filter(finding -> finding.kind() == kind).count();
    }

    /**
     * Whether nothing was found but what the profile declares.
     *
     * @return true if so
     */
    public boolean clean() {
        return findings.stream().allMatch(finding -> finding.kind() == Finding.Kind.DECLARED);
    }

    /**
     * What people want to read, without the findings.
     *
     * @return lines
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        double seconds = Math.max(1, time.toMillis() / 1000.0);
        lines.add(backend + " (" + place + "), seed " + seed);
        lines.add(String.format(
                "%d grants in %.0f s (%.1f per second), %d refused by the fence, %d losses told",
                grants, seconds, grants / seconds, refusals, losses));
        lines.add("");
        lines.add(
                "How often each fault was caused; from healing to the time when every lock had been granted again, median and worst;");
        lines.add("and the longest time, from the fault on, in which no lock was granted at all:");
        lines.add("");
        lines.add(String.format("%-20s %6s %10s %10s %10s", "fault", "times", "median", "worst", "silence"));
        new TreeMap<>(faults).forEach((name, times) -> lines.add(line(name, times, recoveries.get(name))));
        new TreeMap<>(skipped).forEach((name, reason) -> lines.add(String.format("%-20s SKIPPED: %s", name, reason)));
        lines.add("");
        for (Finding.Kind kind : Finding.Kind.values()) {
            lines.add(String.format(
                    "%-20s %6d", kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), count(kind)));
        }
        return lines;
    }

    private static String line(String name, int times, @Nullable Recovery recovery) {
        return recovery == null
                ? String.format("%-20s %6d", name, times)
                : String.format(
                        "%-20s %6d %7d ms %7d ms %7d ms",
                        name,
                        times,
                        recovery.median().toMillis(),
                        recovery.worst().toMillis(),
                        recovery.silence().toMillis());
    }

    /**
     * What a program wants to read, in its order.
     *
     * @return names to texts and numbers
     */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event", "summary");
        fields.put("backend", backend);
        fields.put("seed", seed);
        fields.put("grants", grants);
        fields.put("faults", faults.values().stream().mapToInt(n -> n).sum());
        fields.put("staleWritesAccepted", count(Finding.Kind.STALE_WRITE));
        fields.put("tokenViolations", count(Finding.Kind.TOKEN));
        fields.put("lostUpdates", count(Finding.Kind.LOST_UPDATE));
        fields.put("hangs", count(Finding.Kind.HANG));
        fields.put("leftovers", count(Finding.Kind.LEFTOVER));
        fields.put("otherViolations", count(Finding.Kind.OTHER));
        fields.put("declared", count(Finding.Kind.DECLARED));
        fields.put("refusals", refusals);
        fields.put("losses", losses);
        fields.put("seconds", time.toSeconds());
        fields.put("skipped", skipped.keySet().stream().sorted().collect(Collectors.joining(",")));
        return fields;
    }
}
