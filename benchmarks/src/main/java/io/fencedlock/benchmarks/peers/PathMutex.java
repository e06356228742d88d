package io.fencedlock.benchmarks.peers;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;

/** Shows the path of the calling thread's znode, which Curator shows to subclasses only. */
final class PathMutex extends InterProcessMutex {

    PathMutex(CuratorFramework client, String path) {
        super(client, path);
    }

    String path() {
        return getLockPath();
    }
}
