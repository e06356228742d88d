package io.fencedlock.cli.replay;

import io.fencedlock.cli.CommandFailure;
import io.fencedlock.cli.Exit;
import io.fencedlock.cli.TokenSource;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plays scenarios on venues and keeps the score. */
final class Director {
    private final Timeline timeline;
    private final List<String> notPlayed = new ArrayList<>();
    private final List<Runnable> untold = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private int exitCode = Exit.OK;
    private int played;

    Director(Timeline timeline) {
        this.timeline = timeline;
    }

    /**
     * The worst of what was played.
     *
     * @throws CommandFailure if nothing was
     */
    int exitCode() {
        if (played == 0 && exitCode == Exit.OK) {
            throw CommandFailure.wrongInput(String.join("; ", notPlayed));
        }
        return exitCode;
    }

    void failed(int code) {
        exitCode = Math.max(exitCode, code);
    }

    /** Where nothing at all is played, the timeline stays empty and this is the error. */
    void notPlayed(Scenario scenario, String backend, String sentence) {
        Runnable telling = () -> timeline.notPlayed(scenario.name(), backend, sentence);
        if (played == 0) {
            untold.add(telling);
        } else {
            telling.run();
        }
        notPlayed.add(sentence);
        went(scenario, backend, Outcome.How.NOT_PLAYED);
    }

    /** Tells how everything went, if anything was played. */
    void sumUp() {
        if (played > 0) {
            timeline.sumUp(List.copyOf(outcomes));
        }
    }

    void play(Venue venue, Scenario scenario, TokenSource tokens, List<Boolean> fencing) {
        Optional<String> lack = venue.lacks(scenario.needs())
                .map(why -> scenario.name() + " cannot be played on " + venue.backend() + ": " + why);
        if (lack.isPresent()) {
            notPlayed(scenario, venue.backend(), lack.get());
            return;
        }
        Outcome.How worst = Outcome.How.AS_EXPECTED;
        for (boolean on : fencing) {
            Optional<String> apart = scenario.resource() == Resource.DATABASE ? venue.database() : Optional.empty();
            Run run = new Run(scenario.name(), venue.backend(), venue.place(), on, tokens, apart);
            Outcome.How how = play(venue, scenario, run);
            worst = how.compareTo(worst) > 0 ? how : worst;
        }
        failed(worst == Outcome.How.AS_EXPECTED ? Exit.OK : Exit.NO);
        went(scenario, venue.backend(), worst);
    }

    /** The worst counts, where a scenario is played on a backend with several kinds of tokens. */
    private void went(Scenario scenario, String backend, Outcome.How how) {
        Outcome outcome = new Outcome(scenario.name(), backend, how);
        List<Outcome> before = outcomes.stream().filter(outcome::isOfTheSame).toList();
        if (before.stream().allMatch(it -> it.how().compareTo(how) < 0)) {
            outcomes.removeAll(before);
            outcomes.add(outcome);
        }
    }

    private Outcome.How play(Venue venue, Scenario scenario, Run run) {
        played++;
        String subject = venue.subject(played);
        Resource resource = scenario.resource();
        boolean broken = true;
        untold.forEach(Runnable::run);
        untold.clear();
        try {
            timeline.begin(run, scenario);
            if (venue.startsCold()) {
                Actor.makeReady(venue.cast(), subject, resource);
            }
            Verdict verdict = scenario.play(new Stage(run, venue, timeline, subject, resource));
            timeline.end(run, verdict);
            broken = false;
            return verdict.asExpected() ? Outcome.How.AS_EXPECTED : Outcome.How.NOT_AS_EXPECTED;
        } catch (IllegalStateException | UncheckedIOException e) {
            timeline.failed(run, String.valueOf(e.getMessage()));
            return Outcome.How.BROKE_OFF;
        } finally {
            cleanUp(venue, subject, resource, broken);
        }
    }

    /** Takes the value and its mark away from a store that may be the user's. */
    private static void cleanUp(Venue venue, String subject, Resource resource, boolean broken) {
        try {
            venue.faults().heal();
            if (broken) {
                venue.dismiss(); // a worker may be paused, or in the midst of something
            }
            Actor.remove(venue.cast().workers().get(2), subject, resource);
        } catch (IllegalStateException | UncheckedIOException e) {
            venue.dismiss(); // the run has broken off and has said so, or the next one will
        }
    }
}
