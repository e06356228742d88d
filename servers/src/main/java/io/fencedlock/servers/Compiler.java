package io.fencedlock.servers;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A C compiler: this machine's, else a small one in a package of the distribution. */
final class Compiler {
    private static final String PACKAGE = "tcc";
    private static final String PROGRAM = "usr/bin/" + PACKAGE;

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
            return Apt.unpackedOnce(PACKAGE, PROGRAM).resolve(PROGRAM);
        } catch (NotHere e) {
            throw new NotHere("there is no C compiler (cc) on the PATH, and " + e.reason());
        }
    }
}
