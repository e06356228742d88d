package io.fencedlock.cli;

import io.fencedlock.LockConfigurationException;
import io.fencedlock.Option;
import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as in URLs: {@code 200ms}, {@code 10s}, {@code 5m}, {@code PT10S}. */
public final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
        try {
            return Option.duration("duration", null, "").parse(text);
        } catch (LockConfigurationException e) {
            throw new TypeConversionException(
                    "it takes a time such as 200ms, 10s, 5m or PT10S, found \"" + text + "\"");
        }
    }

    /** For people: 200 ms, 1.5 s. */
    public static String shown(Duration time) {
        long millis = time.toMillis();
        if (millis < 1000) {
            return millis + " ms";
        }
        return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString() + " s";
    }
}
