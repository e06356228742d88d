package io.fencedlock.torture;

import io.fencedlock.servers.Contents;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;

/** ZooKeeper, by its znodes. */
final class ZooKeeperAdmin implements StoreAdmin {
    private static final String ROOT = "/fencedlock/v1";
    private static final Pattern ENTRY = Pattern.compile(ROOT + "/(locks/\\d+|sessions)/.+");
    private static final Pattern CONTENDER = Pattern.compile(ROOT + "/locks/\\d+/.+");
    private static final int TRIES = 100;

    private final Contents contents;

    ZooKeeperAdmin(List<Server> nodes) {
        contents = nodes.get(0).contents();
    }

    static boolean isContender(String znode) {
        return CONTENDER.matcher(znode).matches();
    }

    @Override
    public long entries() {
        return contents.keys().stream().filter(ENTRY.asMatchPredicate()).count();
    }

    @Override
    public void loseCounter() {
        contents.delete(ROOT + "/base");
    }

    /** All contenders with their parents, as somebody who tidies up would do it. New contenders come meanwhile: then again. */
    void loseParents() {
        for (int tries = 1; ; tries++) {
            try {
                contents.delete(ROOT + "/locks");
                return;
            } catch (UncheckedIOException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** The leader ends in order, and comes back as a follower. */
    @Override
    public void failOver(Arena arena) {
        Server leader = arena.leader();
        leader.stop();
        leader.restart(Data.KEEP);
    }
}
