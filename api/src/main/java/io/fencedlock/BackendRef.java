package io.fencedlock;

/**
 * What a backend wants to find again in its own {@link Grant}: a znode's path, a key, a raw revision. Opaque to everybody else;
 * implementations are immutable.
 */
public interface BackendRef {

    /** For backends that need no reference: the name and the holder say it all. */
    BackendRef NONE = new BackendRef() {
        @Override
        public String toString() {
            return "none";
        }
    };
}
