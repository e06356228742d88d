/** The lock a user sees, the SPI of its backends, the engine between them, and the in-memory store. */
module io.fencedlock {
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports io.fencedlock;

    uses io.fencedlock.FencedLockProvider;

    provides io.fencedlock.FencedLockProvider with
            io.fencedlock.MemoryProvider;
}
