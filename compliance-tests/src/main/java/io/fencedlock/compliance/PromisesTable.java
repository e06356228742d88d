package io.fencedlock.compliance;

import io.fencedlock.BackendProfile;
import io.fencedlock.BackendProfile.LeaseClock;
import io.fencedlock.BackendProfile.LeaseScope;
import io.fencedlock.BackendProfile.QueueOrder;
import io.fencedlock.TokenSurvival;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What profiles say, as tables in Markdown: backends stand side by side. */
final class PromisesTable {

    private final Map<String, BackendProfile> profiles;
    private final StringBuilder text = new StringBuilder();

    private PromisesTable(Map<String, BackendProfile> profiles) {
        this.profiles = profiles;
    }

    /** The default tokens and all else that a backend promises; then the textbook tokens beside the default ones. */
    static String of(Map<String, BackendProfile> byTarget) {
        Map<String, BackendProfile> defaults = new LinkedHashMap<>();
        byTarget.forEach((target, profile) -> {
            if (target.equals(profile.backend())) {
                defaults.put(target, profile);
            }
        });
        return "## What each backend promises\n\n"
                + new PromisesTable(defaults).promises()
                + "\n## Textbook tokens beside the default ones\n\n"
                + "The option `tokens` takes the store's bare counter, as articles have it. A rule that is lost is lost for a reason:\n\n"
                + new PromisesTable(byTarget).tokens();
    }

    private String promises() {
        head();
        row("token", BackendProfile::tokenSource);
        survivals();
        row("smallest lease", profile -> shown(profile.smallestLease()));
        row("lease times are rounded up to", profile -> shown(profile.leaseGranularity()));
        row(
                "what keeps a lock",
                profile -> profile.leaseScope() == LeaseScope.PER_LOCK
                        ? "its own time to live"
                        : "the client's session, one for all its locks");
        row(
                "a dead holder's lock ends",
                profile -> "after "
                        + (profile.leaseScope() == LeaseScope.PER_LOCK ? "its lease time" : "the session's time")
                        + ", at most " + shown(profile.expirySlack()) + " later");
        row(
                "lease times end by",
                profile -> profile.leaseClock() == LeaseClock.WALL
                        ? "the server's wall clock, which may be stepped"
                        : "a clock that is never stepped");
        row(
                "order of waiters",
                profile -> profile.queueOrder() == QueueOrder.FIFO ? "of arrival at the store" : "none promised");
        row("a lost wake-up costs at most", profile -> shown(profile.recheck()));
        row("rules disclaimed", PromisesTable::disclaimed);
        profiles.forEach((target, profile) -> {
            text.append("\n**").append(target).append("**\n\n");
            profile.notes().forEach(note -> text.append("- ").append(note).append('\n'));
        });
        return text.toString();
    }

    private String tokens() {
        head();
        row("token", BackendProfile::tokenSource);
        survivals();
        row("rules lost", PromisesTable::disclaimed);
        return text.toString();
    }

    private void head() {
        cells("", profiles.keySet());
        text.append(Markdown.rule(profiles.size() + 1));
    }

    private void survivals() {
        for (TokenSurvival event : TokenSurvival.values()) {
            row(
                    "order survives " + words(event),
                    profile -> profile.tokenSurvives().contains(event) ? "yes" : "**no**");
        }
    }

    static String words(TokenSurvival event) {
        return switch (event) {
            case CLIENT_RESTART -> "a restart of the client";
            case SERVER_RESTART -> "a restart of the server with its data";
            case COUNTER_LOSS -> "the loss of the counter or the parent node";
            case DATA_LOSS -> "the loss of all data";
            case LOST_WRITE_FAILOVER -> "a failover that lost the last writes";
            case BACKEND_CHANGE -> "a change of the backend";
        };
    }

    private static String disclaimed(BackendProfile profile) {
        return profile.disclaims().isEmpty()
                ? "none"
                : profile.disclaims().entrySet().stream()
                        .map(rule -> rule.getKey() + ": " + rule.getValue())
                        .collect(Collectors.joining("; "));
    }

    private static String shown(Duration time) {
        if (time.toMillis() == 0 && !time.isZero()) {
            return time.toNanos() + " ns";
        }
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    private void row(String what, Function<BackendProfile, String> cell) {
        cells(what, profiles.values().stream().map(cell).toList());
    }

    private void cells(String what, Collection<String> cells) {
        text.append(Markdown.row(what, cells));
    }
}
