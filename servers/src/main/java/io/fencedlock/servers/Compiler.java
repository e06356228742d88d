package io.fencedlock.servers;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A C compiler: this machine's, else a small one in a package of the distribution. */
final class Compiler {
    private static final String PACKAGE = "tcc";

    private Compiler() {}

    static Path find() throws NotHere {
        Optional<Path> own = Stream.of("cc", "gcc", "clang", PACKAGE)
                .map(Shell::onPath)
                .flatMap(Optional::stream)
                .findFirst();
        return own.isPresent() ? own.get() : unpacked();
    }

    private static Path unpacked() throws NotHere {
        try {
            Apt.require();
            Path root = Cache.standard().entry(Distribution.name() + "/" + PACKAGE, (target, scratch) -> {
                Servers.say("downloading and unpacking the package " + PACKAGE + " of this system (once)");
                Apt.unpack(List.of(PACKAGE), target, scratch);
                return program(target);
            });
            return program(root);
        } catch (NotHere e) {
            throw new NotHere("there is no C compiler (cc) on the PATH, and " + e.reason());
        }
    }

    private static Path program(Path root) {
        return root.resolve("usr/bin").resolve(PACKAGE);
    }
}
