package io.fencedlock.cli;

import java.util.List;
import java.util.Optional;

/** Five independent nodes, of which clocks jump. */
final class Redlock implements Scenario {

    @Override
    public String name() {
        return "redlock";
    }

    @Override
    public String summary() {
        return "a majority of independent nodes, and a clock that jumps: not built yet";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of();
    }

    @Override
    public Optional<String> notBuilt() {
        return Optional.of("redlock is not built yet: the backend redlock:// is missing");
    }

    @Override
    public Verdict play(Stage stage) {
        throw new IllegalStateException("not built");
    }
}
