package io.fencedlock.etcd;

import io.fencedlock.LockName;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which of its keys in a queue this client uses: the numbers that they end with. Each is used again and again, since etcd keeps every key that ever was
 * until its history is compacted, and passes all of a queue's in each request. Thread-safe.
 */
final class EntryNumbers {

    private final Map<LockName, BitSet> used = new ConcurrentHashMap<>();

    /** The smallest that is free. */
    int take(LockName name) {
        int[] taken = new int[1];
        used.compute(name, (none, present) -> {
            BitSet numbers = present == null ? new BitSet() : present;
            taken[0] = numbers.nextClearBit(0);
            numbers.set(taken[0]);
            return numbers;
        });
        return taken[0];
    }

    /** It is free again. */
    void give(LockName name, int number) {
        used.computeIfPresent(name, (none, numbers) -> {
            numbers.clear(number);
            return numbers.isEmpty() ? null : numbers;
        });
    }
}
