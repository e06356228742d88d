package io.fencedlock.compliance.history;

import java.util.ArrayList;
import java.util.List;

/**
 * The laws of one lock. Its holds come sorted by token, so each law is one pass: forward with the latest invocation and the latest end of the
 * smaller tokens, backward with the earliest grant of the greater ones.
 */
final class LockLaws {

    private final History history;
    private final Limits limits;
    private final List<Violation> found = new ArrayList<>();

    LockLaws(History history, Limits limits) {
        this.history = history;
        this.limits = limits;
    }

    List<Violation> check(List<Hold> holds) {
        forward(holds);
        backward(holds);
        holds.forEach(this::toldOnce);
        return found;
    }

    private void forward(List<Hold> holds) {
        Hold latestAsked = holds.get(0);
        Hold latestEnd = holds.get(0);
        for (int i = 1; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            Hold before = holds.get(i - 1);
            if (before.token() == hold.token()) {
                report(
                        Law.UNIQUE_TOKENS,
                        before.named() + " and " + hold.named() + " are equal",
                        before.granted,
                        hold.granted);
            }
            if (latestAsked.token() < hold.token() && latestAsked.invoke.at() > hold.granted.at()) {
                report(
                        Law.TOKEN_ORDER,
                        hold.named() + " was granted before " + latestAsked.named()
                                + " was asked for, yet it is greater",
                        hold.granted,
                        latestAsked.invoke,
                        latestAsked.granted);
            } else if (latestEnd.endAt() > hold.granted.at()) {
                overlap(latestEnd, hold);
            }
            latestAsked = hold.invoke.at() > latestAsked.invoke.at() ? hold : latestAsked;
            latestEnd = hold.endAt() > latestEnd.endAt() ? hold : latestEnd;
        }
    }

    private void overlap(Hold first, Hold second) {
        String end = first.end == null ? "never ended" : "ended later";
        List<Event> proof = new ArrayList<>(List.of(first.granted, second.granted));
        if (first.end != null) {
            proof.add(first.end);
        }
        found.add(new Violation(
                Law.EXCLUSION,
                second.named() + " was granted while " + first.named() + " was held: it " + end
                        + ", and no fault explains it",
                proof));
    }

    private void backward(List<Hold> holds) {
        Hold next = null;
        for (int i = holds.size() - 1; i >= 0; i--) {
            Hold hold = holds.get(i);
            boolean inOrder = next != null && next.granted.at() >= hold.invoke.at(); // else TOKEN_ORDER says so
            if (next != null && inOrder && next.token() > hold.token()) {
                afterNext(hold, next);
            }
            truthfulDenial(hold);
            next = next == null || hold.granted.at() < next.granted.at() ? hold : next;
        }
    }

    private void afterNext(Hold hold, Hold next) {
        Span release = hold.release;
        if (release != null
                && release.ended(Phase.OK)
                && next.granted.at() < release.invoke().at()
                && !split(hold, release)) {
            report(
                    Law.TRUTHFUL_RELEASE,
                    "the release of " + hold.named() + " was answered RELEASED although " + next.named()
                            + " had been granted",
                    next.granted,
                    release.invoke(),
                    release.last());
        }
        hold.renewals.stream()
                .filter(renewal -> renewal.ended(Phase.OK)
                        && next.granted.at() < renewal.invoke().at()
                        && !split(hold, renewal))
                .findFirst()
                .ifPresent(renewal -> report(
                        Law.TRUTHFUL_RENEWAL,
                        hold.named() + " was renewed although " + next.named() + " had been granted",
                        next.granted,
                        renewal.invoke(),
                        renewal.last()));
        lossTold(hold, next);
    }

    /** Whether another node than the one that answered may have granted to the next holder. */
    private boolean split(Hold hold, Span answered) {
        return history.faults.any(
                Fault.SPLIT,
                hold.granted.process(),
                hold.granted.subject(),
                hold.invoke.at(),
                answered.last().at());
    }

    /** A holder without a fault is covered by exclusion; here are those whose fault left their process running, or gave it back. */
    private void lossTold(Hold hold, Hold next) {
        String process = hold.granted.process();
        String lock = hold.granted.subject();
        long from = hold.invoke.at();
        long granted = next.granted.at();
        if (hold.end == null || hold.end.action() != Action.FAULT) {
            return;
        }
        if (history.faults.any(Fault.KILL, process, lock, from, granted)) {
            return;
        }
        long due = granted;
        if (history.faults.any(Fault.DROP, process, lock, from, granted)) {
            long dropped = history.faults.lastEnd(Fault.DROP, process, lock, from, granted, due);
            due = Math.max(due, dropped + limits.dropTold().toNanos());
        }
        due = Math.max(due, history.faults.lastEnd(Fault.PAUSE, process, lock, from, due, due)); // it could not hear it
        long late = due == Long.MAX_VALUE ? due : due + limits.tolerance().toNanos();
        if (hold.knownAt() > late && history.lastSeen.getOrDefault(process, 0L) > late) {
            report(
                    Law.LOSS_TOLD,
                    next.named() + " was granted, and " + hold.named() + " was "
                            + (hold.losses.isEmpty() ? "never told" : "told too late") + " of its loss",
                    concat(hold.granted, hold.losses, hold.end, next.granted));
        }
    }

    /** NOT_HELD to a holder whose lease time had not passed since its last confirmation. */
    private void truthfulDenial(Hold hold) {
        Span release = hold.release;
        long lease = hold.granted.number(Event.LEASE, 0);
        if (release == null || !release.ended(Phase.FAIL) || lease == 0 || !hold.losses.isEmpty()) {
            return;
        }
        long confirmed = hold.renewals.stream()
                .filter(renewal -> renewal.ended(Phase.OK))
                .mapToLong(renewal -> renewal.invoke().at())
                .reduce(hold.invoke.at(), Math::max);
        boolean fault = hold.end != null && hold.end.action() == Action.FAULT;
        if (!fault && release.last().at() < confirmed + lease) {
            report(
                    Law.TRUTHFUL_RELEASE,
                    "the release of " + hold.named()
                            + " was answered NOT_HELD within its lease time, without a loss or a fault",
                    hold.granted,
                    release.invoke(),
                    release.last());
        }
    }

    private void toldOnce(Hold hold) {
        if (hold.losses.size() > 1) {
            report(
                    Law.TOLD_ONCE,
                    hold.named() + " was told of its loss " + hold.losses.size() + " times",
                    concat(hold.granted, hold.losses));
        }
        Span release = hold.release;
        if (release != null && release.ended(Phase.OK)) {
            hold.losses.stream()
                    .filter(loss -> loss.at() > release.invoke().at())
                    .findFirst()
                    .ifPresent(loss -> report(
                            Law.TOLD_ONCE,
                            hold.named() + " was told of a loss after its clean release",
                            release.invoke(),
                            release.last(),
                            loss));
        }
    }

    private static Event[] concat(Event first, List<Event> losses, Event... more) {
        List<Event> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(more));
        all.addAll(losses);
        return all.toArray(Event[]::new);
    }

    private void report(Law law, String explanation, Event... proof) {
        found.add(new Violation(law, explanation, List.of(proof)));
    }
}
