package io.fencedlock.cli.replay;

import java.util.Map;
import java.util.OptionalLong;

/**
 * One line of a timeline.
 *
 * @param ms milliseconds since the start of the run
 * @param worker who
 * @param action what happened, one word
 * @param token the token in play, if any
 * @param sentence what happened, for people
 * @param more further fields for programs
 */
record Step(long ms, String worker, String action, OptionalLong token, String sentence, Map<String, Object> more) {}
