package io.fencedlock.torture;

import java.time.Duration;

/** Hears how a run goes, from one thread. */
public interface Progress {

    /**
     * The store is up and the workers are about to begin.
     *
     * @param plan the plan
     * @param place the store, in words
     */
    void begun(Plan plan, String place);

    /**
     * A phase is over and was checked.
     *
     * @param phase its number, from 1, and what was broken in it
     * @param now what was counted since the beginning
     */
    void checked(String phase, Counts now);

    /**
     * Something must not have happened. Called before the phase's {@link #checked}.
     *
     * @param finding what
     */
    void found(Finding finding);

    /**
     * What was counted since the beginning.
     *
     * @param time since the beginning
     * @param grants locks granted
     * @param refusals writes and readings that the fence refused
     * @param losses leases lost, as told to their holders
     * @param faults faults caused
     * @param findings findings that are not declared
     */
    record Counts(Duration time, long grants, long refusals, long losses, int faults, long findings) {}
}
