package io.fencedlock.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The program that refuses packets: this machine's iptables, else that of a package of the distribution.
 *
 * @param environment how {@code partition.sh} finds it
 */
record Firewall(Map<String, String> environment) {
    private static final String PROGRAM = "iptables";
    private static final String UNPACKED = "usr/sbin/xtables-nft-multi";
    private static final List<Path> FOLDERS_OF_ROOT = List.of(Path.of("/usr/sbin"), Path.of("/sbin"));

    /** @throws IllegalStateException if there is none; the message says why */
    static Firewall find() {
        Optional<Path> own = Shell.onPath(PROGRAM)
                .or(() -> FOLDERS_OF_ROOT.stream()
                        .map(folder -> folder.resolve(PROGRAM))
                        .filter(Files::isExecutable)
                        .findFirst());
        try {
            return own.isPresent() ? new Firewall(Map.of("IPTABLES", own.get().toString())) : unpacked();
        } catch (NotHere e) {
            throw new IllegalStateException("there is no iptables on the PATH, and " + e.reason(), e);
        }
    }

    /** It looks for its libraries and for its extensions where the system would have them. */
    private static Firewall unpacked() throws NotHere {
        Path root = Apt.unpackedOnce(PROGRAM, UNPACKED);
        Path libraries = libraries(root);
        return new Firewall(Map.of(
                "IPTABLES", root.resolve(UNPACKED) + " iptables",
                "LD_LIBRARY_PATH", libraries.toString(),
                "XTABLES_LIBDIR", libraries.resolve("xtables").toString()));
    }

    /** The folder has the name of the architecture. */
    private static Path libraries(Path root) throws NotHere {
        try (Stream<Path> found = Files.list(root.resolve("usr/lib"))) {
            return found.filter(folder -> Files.isDirectory(folder.resolve("xtables")))
                    .findFirst()
                    .orElseThrow(() -> new NotHere("the package " + PROGRAM + " has no extensions"));
        } catch (IOException e) {
            throw new NotHere("the package " + PROGRAM + " cannot be read (" + e.getMessage() + ")");
        }
    }
}
