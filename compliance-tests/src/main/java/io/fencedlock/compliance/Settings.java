package io.fencedlock.compliance;

import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a run is done. Immutable and thread-safe.
 *
 * @param profile how long
 * @param seed what chance is made from; the same seed makes the same choices
 * @param multiplier stretches every waiting time and tolerance, for slow machines and far servers
 * @param known failures that are known: rule id to reason
 */
public record Settings(Profile profile, long seed, double multiplier, Map<String, String> known) {

    /** How long a run is. */
    public enum Profile {
        /** Every rule once: under 90 seconds for a backend. */
        QUICK(1),
        /** More rounds. */
        FULL(4),
        /** A hundred times as many rounds: about a quarter of an hour for a backend. */
        SOAK(100);

        private final int factor;

        Profile(int factor) {
            this.factor = factor;
        }

        int factor() {
            return factor;
        }
    }

    static final String PROFILE = "fencedlock.profile";
    static final String SEED = "fencedlock.seed";
    static final String MULTIPLIER = "fencedlock.multiplier";
    static final String KNOWN = "fencedlock.known-deviations";

    /**
     * Checks the multiplier.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Settings {
        if (!(multiplier > 0)) {
            throw new IllegalArgumentException("the multiplier is a positive number, found " + multiplier);
        }
        known = Map.copyOf(known);
    }

    /**
     * Quick, with a new seed.
     *
     * @return the settings
     */
    public static Settings quick() {
        return new Settings(Profile.QUICK, newSeed(), 1, Map.of());
    }

    private static long newSeed() {
        return RandomGenerator.getDefault().nextInt(1_000_000_000);
    }

    /** From JUnit's configuration parameters, which fall back to system properties. */
    static Settings from(Function<String, @Nullable String> parameters) {
        String profile = parameters.apply(PROFILE);
        String seed = parameters.apply(SEED);
        String multiplier = parameters.apply(MULTIPLIER);
        String known = parameters.apply(KNOWN);
        return new Settings(
                profile == null ? Profile.QUICK : Profile.valueOf(profile.toUpperCase(java.util.Locale.ROOT)),
                seed == null ? newSeed() : Long.parseLong(seed),
                multiplier == null ? 1 : Double.parseDouble(multiplier),
                known == null ? Map.of() : KnownDeviations.read(java.nio.file.Path.of(known)));
    }

    /** What a user types to have the same run again. */
    String replay(String rule) {
        return "-D" + PROFILE + "=" + profile.name().toLowerCase(java.util.Locale.ROOT) + " -D" + SEED + "=" + seed
                + " -D" + MULTIPLIER + "=" + multiplier + " (rule " + rule + ")";
    }
}
