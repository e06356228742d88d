package io.fencedlock;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the known option that an unknown one was probably meant to be. */
final class OptionNames {

    private static final int FURTHEST = 3;

    private OptionNames() {}

    static Optional<String> nearest(String unknown, Collection<String> known) {
        return known.stream()
                .filter(name -> distance(unknown, name) <= Math.min(FURTHEST, name.length() / 2))
                .min(Comparator.comparingInt(name -> distance(unknown, name)));
    }

    /** Levenshtein's distance, one row at a time. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
