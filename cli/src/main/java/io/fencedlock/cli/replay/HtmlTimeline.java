package io.fencedlock.cli.replay;

import io.fencedlock.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One page with a picture of each run. It is written before the first run, so that a file that cannot be written is told at once, and
 * again after each run: it is complete whenever it is looked at.
 */
final class HtmlTimeline implements Timeline {
    private final Path file;
    private final String command;
    private final List<Play> plays = new ArrayList<>();
    private final Set<String> notPlayed = new LinkedHashSet<>();
    private final List<Step> steps = new ArrayList<>();
    private String summary = "";

    HtmlTimeline(Path file, String command) {
        this.file = file;
        this.command = command;
        write();
    }

    @Override
    public void begin(Run run, Scenario scenario) {
        steps.clear();
        summary = scenario.summary();
    }

    @Override
    public void step(Run run, Step step) {
        steps.add(step);
    }

    @Override
    public void end(Run run, Verdict verdict) {
        add(new Play(run, summary, steps, Optional.of(verdict), ""));
    }

    @Override
    public void failed(Run run, String sentence) {
        add(new Play(run, summary, steps, Optional.empty(), sentence));
    }

    @Override
    public void notPlayed(String scenario, String backend, String sentence) {
        notPlayed.add(sentence);
        write();
    }

    private void add(Play play) {
        plays.add(play);
        write();
    }

    private void write() {
        try {
            Files.writeString(file, new HtmlPage(command, plays, List.copyOf(notPlayed)).write());
        } catch (IOException e) {
            throw CommandFailure.wrongInput("--html: cannot write " + file + ": " + reason(e));
        }
    }

    private String reason(IOException e) {
        if (Files.isDirectory(file)) {
            return "it is a directory";
        }
        if (e instanceof NoSuchFileException) {
            return "its directory does not exist";
        }
        return e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
    }
}
