package io.fencedlock;

/** Why a lease ended without being released. */
public enum LossReason {
    /** Its time passed without a confirmed renewal: not renewed on purpose, process paused, or backend out of reach. */
    EXPIRED("its time passed without a confirmed renewal"),
    /** The backend no longer has the entry: expired there, deleted, evicted, or taken over after the store lost data. */
    NOT_HELD("the backend no longer has its entry"),
    /** The backend's session, on which the entry lived, has ended. */
    SESSION_ENDED("the backend's session has ended"),
    /** The longest hold time set by the user has passed. */
    MAX_HOLD("its longest hold time has passed");

    private final String text;

    LossReason(String text) {
        this.text = text;
    }

    /**
     * The reason in words.
     *
     * @return half a sentence
     */
    public String text() {
        return text;
    }
}
