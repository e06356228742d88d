package io.fencedlock.cli.replay;

import java.util.List;

/**
 * Tells two timelines, one after the other.
 *
 * @param first told first
 * @param second told then
 */
record Both(Timeline first, Timeline second) implements Timeline {

    @Override
    public void begin(Run run, Scenario scenario) {
        first.begin(run, scenario);
        second.begin(run, scenario);
    }

    @Override
    public void step(Run run, Step step) {
        first.step(run, step);
        second.step(run, step);
    }

    @Override
    public void end(Run run, Verdict verdict) {
        first.end(run, verdict);
        second.end(run, verdict);
    }

    @Override
    public void failed(Run run, String sentence) {
        first.failed(run, sentence);
        second.failed(run, sentence);
    }

    @Override
    public void notPlayed(String scenario, String backend, String sentence) {
        first.notPlayed(scenario, backend, sentence);
        second.notPlayed(scenario, backend, sentence);
    }

    @Override
    public void sumUp(List<Outcome> outcomes) {
        first.sumUp(outcomes);
        second.sumUp(outcomes);
    }
}
