package io.fencedlock.cli.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What lasts in a timeline: who holds the lock, who only believes it, who waits, who is paused. */
final class Bars {

    /** For style sheets, too. */
    enum Kind {
        /** Has a grant, and no later one was made. */
        HOLDS,
        /** Has a grant, but the lock was granted again or taken away, and it has not noticed. */
        BELIEVES,
        WAITS,
        PAUSED;

        String style() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Of one lane, between two places from left to right. */
    record Bar(Kind kind, int lane, long from, long to) {}

    private static final String LOCK = "";

    private final Lanes lanes;
    private final List<Bar> bars = new ArrayList<>();
    private final Map<Kind, Map<Integer, Long>> open = new HashMap<>();
    /** What each lane held last: the lock, or an item of work. */
    private final Map<Integer, Object> held = new HashMap<>();

    private Bars(Lanes lanes) {
        this.lanes = lanes;
        for (Kind kind : Kind.values()) {
            open.put(kind, new HashMap<>());
        }
    }

    static List<Bar> of(List<Step> steps, Lanes lanes) {
        Bars made = new Bars(lanes);
        for (int i = 0; i < steps.size(); i++) {
            made.see(steps.get(i), lanes.lane(steps.get(i)), lanes.x(i));
        }
        for (Kind kind : Kind.values()) {
            List.copyOf(made.open(kind).keySet()).forEach(lane -> made.end(kind, lane, lanes.width()));
        }
        return made.bars;
    }

    private void see(Step step, int lane, long x) {
        switch (step.action()) {
            case "acquired", "claimed" -> {
                end(Kind.WAITS, lane, x);
                leave(lane, x);
                Object what = step.more().getOrDefault("item", LOCK);
                List.copyOf(open(Kind.HOLDS).keySet()).stream()
                        .filter(other -> what.equals(held.get(other)))
                        .forEach(other -> taken(other, x));
                open(Kind.HOLDS).put(lane, x);
                held.put(lane, what);
            }
            case "waiting" -> open(Kind.WAITS).put(lane, x);
            case "paused" -> open(Kind.PAUSED).put(lane, x);
            case "resumed" -> end(Kind.PAUSED, lane, x);
            case "deleted" -> {
                leave(lane, x);
                lanes.of(step.more().get("owner")).forEach(owner -> taken(owner, x));
            }
            case "released", "lost" -> leave(lane, x);
            case "refused" -> end(Kind.BELIEVES, lane, x);
            default -> {
                // nothing begins or ends
            }
        }
    }

    private Map<Integer, Long> open(Kind kind) {
        return open.getOrDefault(kind, Map.of());
    }

    private boolean end(Kind kind, int lane, long x) {
        Long from = open(kind).remove(lane);
        if (from == null) {
            return false;
        }
        bars.add(new Bar(kind, lane, from, x));
        return true;
    }

    private void leave(int lane, long x) {
        end(Kind.HOLDS, lane, x);
        end(Kind.BELIEVES, lane, x);
    }

    private void taken(int lane, long x) {
        if (end(Kind.HOLDS, lane, x)) {
            open(Kind.BELIEVES).put(lane, x);
        }
    }
}
