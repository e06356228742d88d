package io.fencedlock;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as users write them: {@code 200ms}, {@code 10s}, {@code 5m}, {@code 1h}, or ISO-8601 ({@code PT10S}). */
final class DurationText {

    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Pattern SHORT = Pattern.compile("(\\d{1,12})(ms|s|m|h)");

    private DurationText() {}

    static Duration parsePositive(String text) {
        return checked("duration", parse(text));
    }

    /** All times stay positive and far from the overflow of nanoseconds in a long. */
    static Duration checked(String what, Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + " takes a positive duration of at most " + LONGEST.toDays() + " days, found " + time);
        }
        return time;
    }

    private static Duration parse(String text) {
        Matcher matcher = SHORT.matcher(text);
        if (!matcher.matches()) {
            return Duration.parse(text.toUpperCase(Locale.ROOT));
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
