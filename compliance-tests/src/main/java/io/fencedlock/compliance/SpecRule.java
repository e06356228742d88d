package io.fencedlock.compliance;

import java.util.List;

/**
 * One rule of SPEC.md. Immutable and thread-safe.
 *
 * @param id its id: {@code TOK-2}
 * @param chapter the chapter's title
 * @param text the sentence that has to hold
 * @param intent why
 * @param look what to look at when it fails
 * @param seen where the fault was seen
 */
public record SpecRule(String id, String chapter, String text, String intent, String look, String seen) {

    /**
     * The rules of the contract, as the suite's jar has it.
     *
     * @return all of them, in the order of SPEC.md
     */
    public static List<SpecRule> all() {
        return List.copyOf(Spec.load().rules());
    }

    /**
     * How strong it is.
     *
     * @return {@code MUST}, {@code SHOULD} or {@code MAY}
     */
    public String level() {
        if (text.contains("MUST")) {
            return "MUST";
        }
        return text.contains("SHOULD") ? "SHOULD" : "MAY";
    }

    /** The method name of its test begins with this: {@code tok2_}. */
    String testPrefix() {
        return id.toLowerCase(java.util.Locale.ROOT).replace("-", "") + "_";
    }
}
