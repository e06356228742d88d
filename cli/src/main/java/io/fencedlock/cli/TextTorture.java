package io.fencedlock.cli;

import io.fencedlock.torture.Finding;
import io.fencedlock.torture.Plan;
import io.fencedlock.torture.Progress;
import java.io.PrintWriter;

/** How a torture goes, for people. */
final class TextTorture implements Progress {
    private final PrintWriter out;

    TextTorture(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begun(Plan plan, String place) {
        out.printf(
                "%n%s: %s, %d workers, seed %d, fencing %s, %s tokens, lease %s%n",
                plan.backend(),
                place,
                plan.workers(),
                plan.seed(),
                plan.fencing() ? "on" : "off",
                plan.tokens(),
                DurationConverter.shown(plan.lease()));
        out.printf("%6s %8s %8s %7s %7s %9s%n", "s", "grants", "refused", "losses", "faults", "findings");
        out.flush();
    }

    @Override
    public void checked(String phase, Counts now) {
        out.printf(
                "%6d %8d %8d %7d %7d %9d  %s%n",
                now.time().toSeconds(),
                now.grants(),
                now.refusals(),
                now.losses(),
                now.faults(),
                now.findings(),
                phase);
        out.flush();
    }

    @Override
    public void found(Finding finding) {
        out.println(finding);
        out.flush();
    }
}
