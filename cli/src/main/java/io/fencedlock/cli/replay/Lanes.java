package io.fencedlock.cli.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where everything of a picture is, from left to right. Time alone would put most steps on one spot, for they follow each other within
 * milliseconds after a second of waiting: so each step gets its own room, and what time passes between steps widens it. A step moves to
 * the right, too, until what is written in its lane does not touch what was written there before.
 */
final class Lanes {
    static final long LEFT = 104;
    private static final long ROOM = 30;
    private static final long GAP = 14;
    private static final double WIDEST_TIME = 300;
    private static final double PIXELS_PER_MS = 0.15;
    /** The width of a character, on average, in the widest of the fonts that the page may be shown in. */
    private static final double CHARACTER = 7.3;

    private final List<Step> steps;
    private final boolean fencing;
    private final List<String> names;
    private final List<Long> xs = new ArrayList<>();
    private long width = LEFT;

    Lanes(List<Step> steps, boolean fencing) {
        this.steps = steps;
        this.fencing = fencing;
        names = List.copyOf(steps.stream().map(Step::worker).collect(TreeSet::new, TreeSet::add, TreeSet::addAll));
        place();
    }

    private void place() {
        double perMs = steps.isEmpty()
                ? 0
                : Math.min(
                        PIXELS_PER_MS,
                        WIDEST_TIME / Math.max(1, steps.get(steps.size() - 1).ms()));
        Map<String, Long> written = new HashMap<>();
        long x = LEFT;
        long before = 0;
        for (Step step : steps) {
            x += ROOM + Math.round((step.ms() - before) * perMs);
            before = step.ms();
            x = Math.max(x, written.getOrDefault(step.worker(), 0L) + GAP);
            if (Caption.reachesTheResource(step)) { // its arrow passes the lanes below
                for (String below : names.subList(lane(step) + 1, names.size())) {
                    x = Math.max(x, written.getOrDefault(below, 0L) + GAP / 2);
                }
            }
            if (Caption.changesTheResource(step)) {
                x = Math.max(x, written.getOrDefault("", 0L) + GAP);
                written.put("", x + GAP + longest(Caption.stored(step, fencing)));
            }
            written.put(step.worker(), x + length(Caption.of(step)));
            width = Math.max(width, Math.max(written.getOrDefault("", 0L), written.get(step.worker())));
            xs.add(x);
        }
        width += GAP;
    }

    private static long longest(List<String> lines) {
        return lines.stream().mapToLong(Lanes::length).max().orElse(0);
    }

    private static long length(String text) {
        return Math.round(text.length() * CHARACTER);
    }

    List<String> names() {
        return names;
    }

    int lane(Step step) {
        return names.indexOf(step.worker());
    }

    /** Of a worker; of all, if none is named. */
    List<Integer> of(@Nullable Object worker) {
        return IntStream.range(0, names.size())
                .filter(lane -> worker == null || names.get(lane).equals(worker))
                .boxed()
                .toList();
    }

    long x(int step) {
        return xs.get(step);
    }

    long width() {
        return width;
    }
}
