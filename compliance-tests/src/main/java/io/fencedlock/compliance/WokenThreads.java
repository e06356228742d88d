package io.fencedlock.compliance;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Threads that have been woken and wait for a processor. Java shows them at rest until they run; on Linux the system itself knows better.
 * Elsewhere there are none to be seen. Thread-safe; to be asked by a thread of another name.
 */
final class WokenThreads {

    private static final File TASKS = new File("/proc/self/task");
    /** Linux keeps so many characters of a thread's name. */
    private static final int NAME_LENGTH = 15;

    private static final int LINE_LENGTH = 64;

    private final String[] prefixes;
    private final Map<String, Boolean> ours = new HashMap<>();

    /** Looks at threads whose names begin so. */
    WokenThreads(String... prefixes) {
        this.prefixes = prefixes;
    }

    synchronized boolean any() {
        String[] tasks = TASKS.list();
        if (tasks == null) {
            return false;
        }
        ours.keySet().retainAll(Set.of(tasks));
        for (String task : tasks) {
            if (ours.getOrDefault(task, true) && runs(task)) {
                return true;
            }
        }
        return false;
    }

    /** The line is {@code 4711 (name) R …}. */
    private boolean runs(String task) {
        String line;
        try (InputStream in = new FileInputStream(new File(TASKS, task + "/stat"))) {
            line = new String(in.readNBytes(LINE_LENGTH), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return false; // it has ended
        }
        String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
        boolean isOurs = false;
        for (String prefix : prefixes) {
            isOurs |= name.startsWith(prefix.substring(0, Math.min(prefix.length(), NAME_LENGTH)));
        }
        if (!name.equals("java")) { // a thread gets its name a moment after its birth
            ours.put(task, isOurs);
        }
        return isOurs && line.startsWith("R", line.lastIndexOf(')') + 2);
    }
}
