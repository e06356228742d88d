package io.fencedlock.redis;

import io.lettuce.core.cluster.SlotHash;
import java.util.List;

/** Where keys lie in a Cluster. */
final class HashTag {

    private HashTag() {}

    /** What to put into braces so that a key lies where a user's key does. */
    static String of(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        String hashed = open >= 0 && close > open + 1 ? key.substring(open + 1, close) : key;
        return hashed.indexOf('}') < 0 ? hashed : numberIn(SlotHash.getSlot(key));
    }

    /** A closing brace cannot stand inside braces: so anything else that lies in the same slot. */
    private static String numberIn(int slot) {
        int number = 0;
        while (SlotHash.getSlot(Integer.toString(number)) != slot) {
            number++;
        }
        return Integer.toString(number);
    }

    /**
     * Checks that one script may use keys.
     *
     * @throws IllegalArgumentException if they lie in different slots
     */
    static void requireOneSlot(String first, List<String> others) {
        int slot = SlotHash.getSlot(first);
        for (String key : others) {
            if (SlotHash.getSlot(key) != slot) {
                throw new IllegalArgumentException("a Redis Cluster changes keys of one hash slot together: " + key
                        + " needs the hash tag {" + of(first) + "}, as " + first + " lies there");
            }
        }
    }
}
