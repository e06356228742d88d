package io.fencedlock.compliance.history;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks for any order in which a fenced lock can have done everything: each operation takes effect at one moment between its invocation and its
 * end; an acquire needs a free lock and a token above the last one. Tries all orders.
 */
final class SlowChecker {

    /** One grant: asked, granted, given back (asked and answered; never: both at infinity). */
    record Grant(long token, long invoke, long ok, long releaseInvoke, long releaseOk) {}

    private SlowChecker() {}

    static boolean possible(List<Grant> grants) {
        return search(new ArrayList<>(grants), 0, Long.MIN_VALUE);
    }

    /** The lock is free since {@code now}; the last token was {@code last}. */
    private static boolean search(List<Grant> left, long last, long now) {
        if (left.isEmpty()) {
            return true;
        }
        for (Grant grant : left) {
            long granted = Math.max(now, grant.invoke());
            long released = Math.max(granted, grant.releaseInvoke());
            boolean fits = grant.token() > last && granted <= grant.ok() && released <= grant.releaseOk();
            boolean ends = grant.releaseInvoke() < Long.MAX_VALUE || left.size() == 1;
            if (fits && ends) {
                List<Grant> rest = new ArrayList<>(left);
                rest.remove(grant);
                if (search(rest, grant.token(), released)) {
                    return true;
                }
            }
        }
        return false;
    }
}
