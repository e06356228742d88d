package io.fencedlock.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A change, in Lua, behind a check: both are one script. */
record CheckedChange(String text, String sha1) implements Lua {

    static final int REFUSED = 0;
    static final int MADE = 1;

    /** What comes before the change and what comes after it. Thread-safe. */
    static final class Check {

        /** A fence admits the mark, and is raised. */
        static final Check FENCE = new Check("fence", "fence-enter", "change");
        /** A lock's entry is that of the grant. */
        static final Check GUARD = new Check("guard-enter", "change");

        private static final int REMEMBERED = 200;
        private static final String PLACE = "@change@";
        private final String before;
        private final String after;
        private final Map<String, CheckedChange> made = new ConcurrentHashMap<>();

        private Check(String... parts) {
            String whole = Lua.read(parts);
            before = whole.substring(0, whole.indexOf(PLACE));
            after = whole.substring(whole.indexOf(PLACE) + PLACE.length());
        }

        CheckedChange with(String change) {
            if (made.size() >= REMEMBERED) {
                made.clear(); // somebody builds texts instead of passing arguments
            }
            return made.computeIfAbsent(change, this::make);
        }

        private CheckedChange make(String change) {
            String text = before + change + after;
            return new CheckedChange(text, Lua.digest(text));
        }
    }

    /** That the check refused is nothing that has to last. */
    @Override
    public boolean wrote(List<Object> answer) {
        return !answer.get(0).equals((long) REFUSED);
    }
}
