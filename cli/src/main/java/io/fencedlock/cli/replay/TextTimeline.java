package io.fencedlock.cli.replay;

import java.io.PrintWriter;
import java.util.List;

/** The table of the article. */
final class TextTimeline implements Timeline {
    private static final int TOKEN_WIDTH = 16;

    private final PrintWriter out;

    TextTimeline(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begin(Run run, Scenario scenario) {
        out.printf("%n%s%n", run.title());
        run.apart().ifPresent(resource -> out.printf("%9sthe resource: %s%n", "", resource));
        out.printf("%7s  %-8s  %" + TOKEN_WIDTH + "s  %s%n", "ms", "worker", "token", "what happened");
        out.flush();
    }

    @Override
    public void step(Run run, Step step) {
        String token = step.token().isPresent() ? Long.toString(step.token().getAsLong()) : "";
        out.printf("%7d  %-8s  %" + TOKEN_WIDTH + "s  %s%n", step.ms(), step.worker(), token, step.sentence());
        out.flush();
    }

    @Override
    public void end(Run run, Verdict verdict) {
        out.printf("%9s%s: %s%n", "", verdict.asExpected() ? "as expected" : "NOT AS EXPECTED", verdict.sentence());
        out.flush();
    }

    @Override
    public void notPlayed(String scenario, String backend, String sentence) {
        out.printf("%nnot played: %s%n", sentence);
        out.flush();
    }

    @Override
    public void sumUp(List<Outcome> outcomes) {
        if (outcomes.size() < 2) {
            return; // the verdict has just been read
        }
        out.println();
        outcomes.forEach(outcome -> out.printf(
                "%-26s %-10s %s%n",
                outcome.scenario(), outcome.backend(), outcome.how().words()));
        out.flush();
    }

    @Override
    public void failed(Run run, String sentence) {
        out.printf("%9sBROKE OFF: %s%n", "", sentence);
        out.flush();
    }
}
