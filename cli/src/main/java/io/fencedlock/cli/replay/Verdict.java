package io.fencedlock.cli.replay;

import java.util.Map;

/**
 * How a run ended.
 *
 * @param fields for programs, in their order
 * @param asExpected whether everything was as the scenario teaches
 * @param sentence for people
 */
record Verdict(Map<String, Object> fields, boolean asExpected, String sentence) {}
