package io.fencedlock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** W9: what the engine itself costs, measured by JMH in a JVM of its own. */
final class EnginePasses implements OwnSetting {

    private final Scale scale;

    EnginePasses(Scale scale) {
        this.scale = scale;
    }

    @Override
    public String name() {
        return "W9";
    }

    @Override
    public String meaning() {
        return "acquire and release on the in-memory store in one thread: mean time (in the p50 column) and bytes allocated, by JMH";
    }

    @Override
    public boolean comparesThroughput() {
        return false;
    }

    @Override
    public List<Result> alone() throws RunnerException {
        TimeValue time = TimeValue.milliseconds(scale.round().toMillis() * 2);
        List<Result> rows = new ArrayList<>();
        for (RunResult run : new Runner(new OptionsBuilder()
                        .include(EnginePass.class.getName() + "\\..*")
                        .addProfiler(GCProfiler.class)
                        .forks(1)
                        .warmupIterations(scale.rounds())
                        .warmupTime(time)
                        .measurementIterations(scale.rounds())
                        .measurementTime(time)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run()) {
            rows.add(row(run));
        }
        return rows;
    }

    private static Result row(RunResult run) {
        double nanos = run.getPrimaryResult().getScore();
        Map<String, Double> measures = new TreeMap<>();
        run.getSecondaryResults().forEach((name, result) -> {
            if (name.endsWith("gc.alloc.rate.norm")) {
                measures.put("bytes allocated", result.getScore());
            }
        });
        double error = run.getPrimaryResult().getScoreError();
        String method = run.getPrimaryResult().getLabel();
        return new Result(
                "W9",
                "memory",
                FencedLockSubject.NAME,
                nanos / 1e3,
                0,
                1e9 / nanos,
                Double.isNaN(error) ? 0 : error / nanos, // of a few iterations JMH tells none
                0,
                Optional.empty(),
                measures,
                method);
    }
}
