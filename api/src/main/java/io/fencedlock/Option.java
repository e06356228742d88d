package io.fencedlock;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One typed configuration option: the same name in a URL's query, with the prefix {@code fencedlock.} in properties, and in
 * the environment ({@code command-timeout}: {@code FENCEDLOCK_COMMAND_TIMEOUT}). Immutable and thread-safe.
 *
 * @param <T> the type of its values
 * @param name lower case, words joined by hyphens
 * @param type what is allowed, in words, for messages and the table of options
 * @param defaultText the default as a user would write it; null: none, the option may be absent
 * @param doc one sentence
 * @param sensitive whether the value is a secret, never printed
 * @param parser from text to value; throws {@link IllegalArgumentException} for what is not allowed
 */
public record Option<T>(
        String name,
        String type,
        @Nullable String defaultText,
        String doc,
        boolean sensitive,
        Function<String, T> parser) {

    /**
     * An option whose value is any text.
     *
     * @param name its name
     * @param defaultText its default, or null
     * @param doc one sentence
     * @return the option
     */
    public static Option<String> text(String name, @Nullable String defaultText, String doc) {
        return new Option<>(name, "text", defaultText, doc, false, Function.identity());
    }

    /**
     * An option whose value is a secret.
     *
     * @param name its name
     * @param doc one sentence
     * @return the option; its value prints as {@code ***}
     */
    public static Option<Secret> secret(String name, String doc) {
        return new Option<>(name, "text", null, doc, true, Secret::new);
    }

    /**
     * An option whose value is a positive duration: {@code 200ms}, {@code 10s}, {@code 5m} or {@code PT10S}.
     *
     * @param name its name
     * @param defaultText its default, or null
     * @param doc one sentence
     * @return the option
     */
    public static Option<Duration> duration(String name, @Nullable String defaultText, String doc) {
        return new Option<>(
                name, "duration (200ms, 10s, 5m, 1h or PT10S)", defaultText, doc, false, DurationText::parsePositive);
    }

    /**
     * An option whose value is a whole number within bounds.
     *
     * @param name its name
     * @param min the smallest allowed
     * @param max the largest allowed
     * @param defaultText its default, or null
     * @param doc one sentence
     * @return the option
     */
    public static Option<Integer> number(String name, int min, int max, @Nullable String defaultText, String doc) {
        String type = "whole number from " + min + " to " + max;
        return new Option<>(name, type, defaultText, doc, false, text -> {
            int number = Integer.parseInt(text);
            if (number < min || number > max) {
                throw new IllegalArgumentException(type);
            }
            return number;
        });
    }

    /**
     * An option that is {@code true} or {@code false}.
     *
     * @param name its name
     * @param defaultText its default, or null
     * @param doc one sentence
     * @return the option
     */
    public static Option<Boolean> flag(String name, @Nullable String defaultText, String doc) {
        return new Option<>(name, "true or false", defaultText, doc, false, text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("true or false");
        });
    }

    /**
     * An option whose value is one of the constants of an enum, written in lower case with hyphens.
     *
     * @param <E> the enum
     * @param name its name
     * @param choices the enum's class
     * @param defaultText its default, or null
     * @param doc one sentence
     * @return the option
     */
    public static <E extends Enum<E>> Option<E> choice(
            String name, Class<E> choices, @Nullable String defaultText, String doc) {
        List<E> constants = Arrays.asList(choices.getEnumConstants());
        String type = constants.stream().map(Option::textOf).collect(Collectors.joining(", "));
        return new Option<>(
                name,
                type,
                defaultText,
                doc,
                false,
                text -> constants.stream()
                        .filter(c -> textOf(c).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(type)));
    }

    private static String textOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Parses a value.
     *
     * @param text as the user wrote it
     * @return the value
     * @throws LockConfigurationException if it is not allowed; the message names the option, what is allowed and, unless it is a
     *     secret, what was found
     */
    public T parse(String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | ArithmeticException | java.time.DateTimeException e) {
            String found = sensitive ? "a value that cannot be used" : "\"" + text + "\"";
            throw new LockConfigurationException("option " + name + " takes " + type + ", found " + found, null);
        }
    }
}
