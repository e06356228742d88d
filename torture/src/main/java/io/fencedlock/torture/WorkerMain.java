package io.fencedlock.torture;

import io.fencedlock.FencedLocks;
import io.fencedlock.FencedLocksBuilder;
import io.fencedlock.compliance.history.Recorder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A worker's process: orders come on standard input, one a line, words separated by tabs; events, questions to the resource and answers go to
 * standard output. The first line says who it is and where to work; it may hold a password, so it is no argument. Ends with its input.
 *
 * <pre>
 *   name seed threads lease-millis url option=value…   the first line
 *   go names…                                          contend until told to stop; answered by "idle"
 *   stop
 *   hold name                                          take that lock and keep it; answered by "held"
 *   last wait-millis names…                            hold each lock once; answered by "got name" or "missed name", then "idle"
 *   end                                                close the client; answered by "closed millis threads-left"
 * </pre>
 */
final class WorkerMain {
    private final PrintStream out;
    private final BufferedReader in;

    private WorkerMain() {
        out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        new WorkerMain().run();
        System.exit(0);
    }

    private void run() throws IOException, InterruptedException {
        String first = in.readLine();
        if (first == null) {
            return;
        }
        String[] words = first.split("\t", -1);
        Leftover before = Leftover.now();
        FencedLocks locks = open(words);
        RemoteResource resource = new RemoteResource(this::say);
        Recorder recorder = new Recorder(words[0], event -> say("e\t" + event.toJson()));
        Contest contest = new Contest(
                locks,
                recorder,
                resource,
                complaint -> say("x\t" + complaint.replaceAll("\\s+", " ")),
                Duration.ofMillis(Long.parseLong(words[3])),
                words[0],
                Long.parseLong(words[1]),
                Integer.parseInt(words[2]));
        new Stalls(words[0], event -> say("e\t" + event.toJson())).start();
        contest.warmUp();
        say("ready");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            obey(line.split("\t", -1), contest, resource);
            if (line.equals("end")) {
                long start = System.nanoTime();
                locks.close();
                long millis = (System.nanoTime() - start) / 1_000_000;
                say("closed\t" + millis + "\t" + String.join(", ", before.threadsSince()));
                return;
            }
        }
        locks.close();
    }

    private void obey(String[] words, Contest contest, RemoteResource resource) {
        switch (words[0]) {
            case "r" -> resource.answered(words);
            case "go" -> contest.begin(List.of(words).subList(1, words.length), () -> say("idle"));
            case "stop" -> contest.stop();
            case "end" -> contest.end();
            case "hold" -> contest.hold(words[1], () -> say("held"));
            case "last" ->
                contest.last(
                        Duration.ofMillis(Long.parseLong(words[1])),
                        List.of(words).subList(2, words.length),
                        this::say,
                        () -> say("idle"));
            default -> throw new IllegalArgumentException("unknown order " + words[0]);
        }
    }

    private static FencedLocks open(String[] words) {
        FencedLocksBuilder builder = FencedLocks.configure().url(words[4]).option("lease", words[3] + "ms");
        for (int i = 5; i < words.length; i++) {
            String[] option = words[i].split("=", 2);
            builder.option(option[0], option[1]);
        }
        return builder.connect();
    }

    /** One whole line at a time: many threads speak. */
    private synchronized void say(String line) {
        out.print(line + "\n");
        out.flush();
    }
}
