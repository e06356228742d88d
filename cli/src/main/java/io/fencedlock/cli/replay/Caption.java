package io.fencedlock.cli.replay;

import java.util.List;

/** The few words at a step in a picture; the sentence is in the table below it. */
final class Caption {

    private Caption() {}

    static String of(Step step) {
        return switch (step.action()) {
            case "acquired" -> step.token().isPresent() ? "token " + token(step) : "has the lock";
            case "claimed" -> "claim " + step.more().get("claim");
            case "waiting" -> "waits";
            case "held" -> "held: no";
            case "checked" -> Boolean.FALSE.equals(step.more().get("valid")) ? "looks: over" : "looks: valid";
            case "resumed" -> "resumes";
            case "wrote" -> "writes";
            case "refused" -> "refused";
            case "released" -> "releases";
            case "deleted" -> deletes(step);
            case "saw" -> "sees " + step.more().get("seenToken");
            case "read" ->
                step.more().containsKey("value") ? "reads \"" + step.more().get("value") + "\"" : "reads";
            default -> step.action().replace('-', ' ');
        };
    }

    private static String deletes(Step step) {
        Object owner = step.more().get("owner");
        if (owner == null || owner.equals(step.worker())) {
            return "deletes";
        }
        return owner.equals("nobody") ? "deletes: none" : "deletes " + owner + "'s";
    }

    static boolean reachesTheResource(Step step) {
        return changesTheResource(step)
                || step.action().equals("refused")
                || step.action().equals("read");
    }

    static boolean changesTheResource(Step step) {
        return step.action().equals("wrote") || step.action().equals("advanced");
    }

    /** What the resource holds after a step that changed it: a value, and below it its mark. */
    static List<String> stored(Step step, boolean fencing) {
        String value = step.more().containsKey("value") ? "\"" + step.more().get("value") + "\"" : "";
        return fencing && step.token().isPresent() ? List.of(value, "mark " + token(step)) : List.of(value);
    }

    private static String token(Step step) {
        return step.token().isPresent() ? Long.toString(step.token().getAsLong()) : "none";
    }
}
