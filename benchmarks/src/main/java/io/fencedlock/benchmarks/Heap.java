package io.fencedlock.benchmarks;

import java.lang.management.ManagementFactory;

/** What is used of the heap after garbage was collected. */
record Heap(long used) {

    static Heap now() {
        for (int i = 0; i < 3; i++) {
            System.gc(); // what finalisers and references held is free at the second time
        }
        return new Heap(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    /** Bytes more than at that time. */
    long growth() {
        return now().used - used;
    }
}
