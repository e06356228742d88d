package io.fencedlock.compliance;

import io.fencedlock.FencedLocks;
import io.fencedlock.compliance.BreakableBackend.Line;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Breaks the in-memory reference: lines between clients and store, and holders that are processes but for the memory they share. */
final class MemoryControls implements Controls {

    private final MemoryTarget target;
    private final Map<FencedLocks, BreakableBackend> lines = new ConcurrentHashMap<>();

    MemoryControls(MemoryTarget target) {
        this.target = target;
    }

    @Override
    public HolderProcess startHolder(Duration lease) {
        return new MemoryHolder(target, lease);
    }

    @Override
    public FencedLocks openUnreachable(Duration lease) {
        return target.open(lease, new BreakableBackend(target.bare(), Line.REFUSED), target.clock());
    }

    @Override
    public FencedLocks openBreakable(Duration lease) {
        BreakableBackend backend = new BreakableBackend(target.bare(), Line.WHOLE);
        FencedLocks client = target.open(lease, target.breakable(backend), target.clock());
        lines.put(client, backend);
        return client;
    }

    private BreakableBackend line(FencedLocks client) {
        BreakableBackend line = lines.get(client);
        if (line == null) {
            throw new IllegalArgumentException("the client is not from openBreakable");
        }
        return line;
    }

    @Override
    public void stall(FencedLocks client) {
        line(client).line(Line.STALLED);
    }

    @Override
    public void heal(FencedLocks client) {
        line(client).line(Line.WHOLE);
    }

    @Override
    public void kill(FencedLocks client) {
        line(client).kill();
        line(client).line(Line.REFUSED);
        target.pace().tick();
        line(client).line(Line.WHOLE);
    }

    @Override
    public void loseNextReply(FencedLocks client) {
        line(client).loseNextReply();
    }

    @Override
    public long entries() {
        return target.entries();
    }

    @Override
    public void restartServer(boolean keepData) {
        target.server().restartServer(keepData);
        target.pace().tick(); // nothing starts within no time
    }

    @Override
    public void holdReplication() {
        target.server().holdReplication();
    }

    @Override
    public void failOver() {
        target.server().failOver();
        target.pace().tick();
    }

    @Override
    public void loseCounter() {
        target.server().loseCounter();
        target.pace().tick();
    }

    @Override
    public void stepClock(Duration by) {
        target.server().stepClock(by);
    }

    @Override
    public boolean disposable() {
        return true;
    }
}
