package io.fencedlock.torture;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import io.fencedlock.compliance.history.Recorder;
import io.fencedlock.compliance.history.RecordingResource;

/**
 * Where the workers write: a resource in the coordinating process, which no fault reaches, so that a refusal means the token and never a lost
 * mark. Thread-safe.
 */
final class Desk {
    private static final String NONE = "-";

    private final RecordingResource resource;

    Desk(Chronicle chronicle, boolean fenced) {
        resource = new RecordingResource(new Recorder("resource", chronicle::add), fenced);
    }

    static boolean isQuestion(String[] words) {
        return words[0].equals("a") || words[0].equals("w");
    }

    /** {@code a|w id resource token holder value based-on}. */
    String answer(String[] words) {
        FenceMark mark = new FenceMark(Long.parseLong(words[3]), new HolderId(words[4]));
        try {
            String value = NONE;
            if (words[0].equals("a")) {
                value = resource.advance(words[2], mark).orElse(NONE);
            } else {
                resource.write(words[2], mark, words[5], words[6].equals(NONE) ? null : words[6]);
            }
            return String.join("\t", "r", words[1], "ok", value);
        } catch (StaleTokenException e) {
            return String.join("\t", "r", words[1], "stale", Long.toString(e.acceptedToken()));
        }
    }
}
