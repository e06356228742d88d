package io.fencedlock.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The ZooKeeper server in its own jar, which is on our class path: run in a JVM of its own. */
final class ZooKeeperJar {
    private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
    private static final List<String> FLAGS = List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.awt.headless=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

    private ZooKeeperJar() {}

    static Program program(Optional<String> version) throws NotHere {
        String own = ownVersion();
        List<String> command = new ArrayList<>(Jvm.command(FLAGS));
        command.add(MAIN);
        Program program = new Program(List.copyOf(command), Map.of(), own, "the ZooKeeper jar, in a JVM of its own");
        if (!Programs.matches(program, version)) {
            throw new NotHere("the ZooKeeper jar on the class path is version " + own);
        }
        return program;
    }

    /** By reflection: nothing of ZooKeeper is needed to compile this module, and none of its classes shall be initialised here. */
    private static String ownVersion() throws NotHere {
        try {
            ClassLoader loader = ZooKeeperJar.class.getClassLoader();
            Class.forName(MAIN, false, loader);
            return (String) Class.forName("org.apache.zookeeper.Version", false, loader)
                    .getMethod("getVersion")
                    .invoke(null);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new NotHere("no ZooKeeper jar on the class path");
        }
    }
}
