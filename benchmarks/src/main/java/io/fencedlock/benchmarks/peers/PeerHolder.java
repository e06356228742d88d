package io.fencedlock.benchmarks.peers;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.compliance.HolderProcess;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.WorkerProcess;
import java.time.Duration;

/** A library's holder in a JVM of its own, told what to do by lines. */
final class PeerHolder implements HolderProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final WorkerProcess process;

    PeerHolder(Way way, Server server, Duration lease) {
        process = WorkerProcess.of(PeerHolderMain.class)
                .flags("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .arguments(
                        way.id(),
                        Integer.toString(server.address().getPort()),
                        Long.toString(lease.toMillis()),
                        server.url())
                .start();
    }

    private synchronized String ask(String... words) {
        try {
            process.send(String.join("\t", words));
            String answer = process.receive(PATIENCE)
                    .orElseThrow(() -> new IllegalStateException("the holder's process ended: " + process.lastWords()));
            if (answer.startsWith("unsupported ")) {
                throw new UnsupportedOperationException(answer.substring(12));
            } else if (answer.startsWith("error ")) {
                throw new IllegalStateException(
                        "the holder's process failed to " + words[0] + ": " + answer.substring(6));
            }
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public FenceMark acquire(String lock) {
        String[] parts = ask("acquire", lock).split(" ", -1);
        return new FenceMark(Long.parseLong(parts[0]), new HolderId(parts[1]));
    }

    @Override
    public void startWaiting(String lock) {
        ask("wait", lock);
    }

    @Override
    public boolean write(String resource, String value) {
        return Boolean.parseBoolean(ask("write", resource, value));
    }

    @Override
    public boolean isValid() {
        return Boolean.parseBoolean(ask("valid"));
    }

    @Override
    public int lossesTold() {
        return Integer.parseInt(ask("told"));
    }

    @Override
    public void pause() {
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
