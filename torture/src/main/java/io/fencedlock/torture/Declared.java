package io.fencedlock.torture;

import io.fencedlock.BackendProfile;
import java.time.Duration;
import java.util.List;

/** Decides what the profile says of tokens: what they do not survive there fails no run. Used by one thread. */
final class Declared {
    private static final String LIBRARYS_OWN = "default";

    private final boolean losesWrites;
    private final boolean oneClock;
    private final BackendProfile profile;
    private final boolean weaker;
    private final Duration farthest;
    private boolean stepped;
    private long trustedFrom;

    /**
     * @param losesWrites whether a change of leader may lose what was acknowledged last
     * @param oneClock whether tokens may rest on the one clock that is stepped, and not on the middle of several
     */
    Declared(boolean losesWrites, boolean oneClock, BackendProfile profile, String tokens, Duration lease) {
        this.losesWrites = losesWrites;
        this.oneClock = oneClock;
        this.profile = profile;
        weaker = !tokens.equals(LIBRARYS_OWN);
        farthest = lease.multipliedBy(ClockFaults.FARTHEST);
    }

    /** The faults of a phase are over: tokens that were made by a clock ahead of the others are in the future for a while. */
    void healed(List<Nemesis> chosen) {
        if (chosen.contains(ClockFaults.SERVER)) {
            stepped = true;
            trustedFrom = System.nanoTime() + farthest.toNanos();
        }
    }

    /**
     * Whether tokens may repeat or go back by what was done in a phase: where the counter, or the last writes, were lost, they rest on the clock alone,
     * which must not be wrong at the same time.
     *
     * @param begun when the faults began
     */
    boolean covers(List<Nemesis> chosen, long begun) {
        if (weaker) {
            return false;
        }
        boolean survived = chosen.stream()
                .map(Nemesis::attacks)
                .allMatch(what -> what == null || profile.tokenSurvives().contains(what));
        boolean wrongClock = chosen.contains(ClockFaults.SERVER) || (stepped && begun - trustedFrom < 0);
        return !survived || (oneClock && wrongClock && restOnClock(chosen));
    }

    private boolean restOnClock(List<Nemesis> chosen) {
        return chosen.stream()
                .filter(nemesis -> !nemesis.equals(ClockFaults.SERVER))
                .anyMatch(nemesis -> nemesis.attacks() != null || (losesWrites && mayElect(nemesis.target())));
    }

    private static boolean mayElect(Nemesis.Target target) {
        return target == Nemesis.Target.SERVER || target == Nemesis.Target.NETWORK;
    }
}
