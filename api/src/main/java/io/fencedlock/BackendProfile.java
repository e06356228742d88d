package io.fencedlock;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a backend promises: its limits, its capabilities, and the rules of the contract that it disclaims. The compliance suite asks it
 * instead of being overridden; the comparison in the docs is made from it. Immutable and thread-safe.
 *
 * @param backend the backend's name: {@code redis}
 * @param tokenSource where its tokens come from, in words
 * @param smallestLease the shortest lease time that it accepts
 * @param leaseGranularity lease times are rounded up to a multiple of this
 * @param leaseScope what keeps an entry alive
 * @param queueOrder in which order waiters are served
 * @param leaseClock which clock of the store ends an entry that is not renewed
 * @param expirySlack how much longer than the lease time, or the session's time, an entry of a dead holder may stand
 * @param recheck how late a waiter asks again when every wake-up is lost (WAI-3)
 * @param tokenSurvives what the order of tokens survives
 * @param disclaims rules of the contract that it does not promise: rule id to reason
 * @param notes what else an operator should know, in sentences
 */
public record BackendProfile(
        String backend,
        String tokenSource,
        Duration smallestLease,
        Duration leaseGranularity,
        LeaseScope leaseScope,
        QueueOrder queueOrder,
        LeaseClock leaseClock,
        Duration expirySlack,
        Duration recheck,
        Set<TokenSurvival> tokenSurvives,
        Map<String, String> disclaims,
        List<String> notes) {

    /** What keeps an entry alive. */
    public enum LeaseScope {
        /** Each entry has its own time to live. */
        PER_LOCK,
        /** All entries of a client live on its one session. */
        PER_SESSION
    }

    /** In which order waiters are served. */
    public enum QueueOrder {
        /** None is promised. */
        NONE,
        /** The order of arrival at the store. */
        FIFO
    }

    /** Which clock of the store ends an entry that is not renewed. */
    public enum LeaseClock {
        /**
         * Its wall clock: a step forward may end leases early, whose holders are told at their next renewal, and a step back may keep the entry
         * of a dead holder for longer.
         */
        WALL,
        /** One that is never stepped. */
        MONOTONIC
    }

    /** Copies the collections. */
    public BackendProfile {
        tokenSurvives = Collections.unmodifiableSet(
                tokenSurvives.isEmpty() ? EnumSet.noneOf(TokenSurvival.class) : EnumSet.copyOf(tokenSurvives));
        disclaims = Collections.unmodifiableMap(new TreeMap<>(disclaims));
        notes = List.copyOf(notes);
    }

    /**
     * Begins a profile with the weakest promises.
     *
     * @param backend the backend's name
     * @param tokenSource where its tokens come from, in words
     * @return a builder
     */
    public static Builder of(String backend, String tokenSource) {
        return new Builder(backend, tokenSource);
    }

    /** Collects the parts of a profile. Not thread-safe. */
    public static final class Builder {
        private final String backend;
        private final String tokenSource;
        private Duration smallestLease = Duration.ofSeconds(1);
        private Duration leaseGranularity = Duration.ofMillis(1);
        private LeaseScope leaseScope = LeaseScope.PER_LOCK;
        private QueueOrder queueOrder = QueueOrder.NONE;
        private LeaseClock leaseClock = LeaseClock.WALL;
        private Duration expirySlack = Duration.ofSeconds(1);
        private Duration recheck = Duration.ofSeconds(1);
        private final Set<TokenSurvival> survives = EnumSet.noneOf(TokenSurvival.class);
        private final Map<String, String> disclaims = new TreeMap<>();
        private List<String> notes = List.of();

        private Builder(String backend, String tokenSource) {
            this.backend = backend;
            this.tokenSource = tokenSource;
        }

        /**
         * Sets the lease times accepted.
         *
         * @param smallest the shortest
         * @param granularity rounded up to a multiple of this
         * @return this
         */
        public Builder lease(Duration smallest, Duration granularity) {
            smallestLease = smallest;
            leaseGranularity = granularity;
            return this;
        }

        /**
         * Sets what keeps an entry alive.
         *
         * @param scope the scope
         * @param slack how much longer than its time an entry of a dead holder may stand
         * @return this
         */
        public Builder liveness(LeaseScope scope, Duration slack) {
            leaseScope = scope;
            expirySlack = slack;
            return this;
        }

        /**
         * Sets which clock of the store ends an entry that is not renewed.
         *
         * @param clock the clock
         * @return this
         */
        public Builder leaseClock(LeaseClock clock) {
            leaseClock = clock;
            return this;
        }

        /**
         * Sets how waiters are served.
         *
         * @param order the order
         * @param recheckTime how late a waiter asks again when every wake-up is lost
         * @return this
         */
        public Builder waiting(QueueOrder order, Duration recheckTime) {
            queueOrder = order;
            recheck = recheckTime;
            return this;
        }

        /**
         * Adds what the order of tokens survives.
         *
         * @param what the events
         * @return this
         */
        public Builder tokensSurvive(Collection<TokenSurvival> what) {
            survives.addAll(what);
            return this;
        }

        /**
         * Adds a rule that is not promised.
         *
         * @param rule its id: {@code TOK-6}
         * @param reason one sentence
         * @return this
         */
        public Builder disclaim(String rule, String reason) {
            disclaims.put(rule, reason);
            return this;
        }

        /**
         * Sets what else an operator should know.
         *
         * @param sentences the sentences
         * @return this
         */
        public Builder notes(String... sentences) {
            notes = List.of(sentences);
            return this;
        }

        /**
         * Makes the profile.
         *
         * @return the profile
         */
        public BackendProfile build() {
            return new BackendProfile(
                    backend,
                    tokenSource,
                    smallestLease,
                    leaseGranularity,
                    leaseScope,
                    queueOrder,
                    leaseClock,
                    expirySlack,
                    recheck,
                    survives,
                    disclaims,
                    notes);
        }
    }
}
