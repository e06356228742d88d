package io.fencedlock;

/**
 * The lease is over and its holder is no longer the holder. Stop; what is already on its way is refused by the fence at the
 * resource.
 */
public final class LeaseLostException extends FencedLockException {

    private static final long serialVersionUID = 1L;

    private final transient Grant grant;
    private final LossReason reason;

    /**
     * Makes one.
     *
     * @param grant what was lost
     * @param reason why
     */
    public LeaseLostException(Grant grant, LossReason reason) {
        super("lease of lock " + grant.name() + " with token " + grant.token() + " is lost: " + reason.text(), null);
        this.grant = grant;
        this.reason = reason;
    }

    /**
     * What was lost.
     *
     * @return the grant of the lost lease
     */
    public Grant grant() {
        return grant;
    }

    /**
     * Why it was lost.
     *
     * @return the reason
     */
    public LossReason reason() {
        return reason;
    }
}
