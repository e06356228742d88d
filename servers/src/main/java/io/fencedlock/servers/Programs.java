package io.fencedlock.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the server programs of all stores but ZooKeeper: on the PATH, or in packages of the distribution. */
final class Programs {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern VERSION = Pattern.compile("(?:v=|[Vv]ersion: |Ver |PostgreSQL\\) )([0-9][0-9.]*)");

    /** Where older or newer versions are than the system's own suite has, if a program of theirs runs on older systems, too. */
    private static final Map<String, String> SUITES = Map.of("etcd-server 3.5", "trixie");

    private static final Map<String, Program> FOUND = new ConcurrentHashMap<>();

    /** A program and the packages that hold it: Debian's redis-server is a link to a file of redis-tools. */
    private record Wanted(String program, List<String> packages, String unpacked, Optional<String> script) {
        static Wanted of(Store store) {
            return switch (store) {
                case REDIS ->
                    new Wanted("redis-server", List.of("redis-server", "redis-tools"), "usr/bin", Optional.empty());
                case ETCD -> new Wanted("etcd", List.of("etcd-server"), "usr/bin", Optional.empty());
                case POSTGRESQL ->
                    new Wanted(
                            "postgres",
                            List.of("postgresql"),
                            "usr/lib/postgresql/*/bin",
                            Optional.of("postgresql.sh"));
                case MARIADB ->
                    new Wanted("mariadbd", List.of("mariadb-server-core"), "usr/sbin", Optional.of("mariadb.sh"));
                case ZOOKEEPER -> throw new IllegalArgumentException("ZooKeeper runs from its jar");
            };
        }

        /** The program below a folder laid out as the packages are; of several versions the newest. */
        Optional<Path> below(Path root) {
            int star = unpacked.indexOf("/*/");
            if (star < 0) {
                return Optional.of(root.resolve(unpacked).resolve(program)).filter(Files::isExecutable);
            }
            String rest = unpacked.substring(star + "/*/".length());
            try (Stream<Path> versions = Files.list(root.resolve(unpacked.substring(0, star)))) {
                return versions.map(version -> version.resolve(rest).resolve(program))
                        .filter(Files::isExecutable)
                        .max(Comparator.comparingInt(Wanted::major));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        private static int major(Path file) {
            String folder = file.getName(file.getNameCount() - 3).toString();
            return folder.matches("[0-9]{1,6}") ? Integer.parseInt(folder) : 0;
        }

        /** Databases must be made before they can be served: a script does both. */
        List<String> command(Path file) {
            return script.map(name -> List.of("sh", "-c", Shell.resource(name), program, file.toString()))
                    .orElse(List.of(file.toString()));
        }
    }

    private Programs() {}

    static Program onPath(Store store, Optional<String> version) throws NotHere {
        Wanted wanted = Wanted.of(store);
        Path file = Shell.onPath(wanted.program())
                .or(() -> wanted.below(Path.of("/")))
                .orElseThrow(() -> new NotHere("no " + wanted.program() + " on the PATH"));
        Program program = program(wanted, file, Map.of(), file.toString());
        if (!matches(program, version)) {
            throw new NotHere(file + " is version " + program.version());
        }
        return program;
    }

    static Program ofPackage(Store store, Optional<String> version) throws NotHere {
        Apt.require();
        String key = store + " " + version.orElse("");
        Program known = FOUND.get(key);
        if (known == null) {
            known = unpack(Wanted.of(store), version);
            FOUND.put(key, known);
        }
        return known;
    }

    private static Program unpack(Wanted wanted, Optional<String> version) throws NotHere {
        Program own = unpackOwn(wanted);
        if (matches(own, version)) {
            return own;
        }
        String suite = SUITES.get(wanted.packages().get(0) + " " + version.orElse(""));
        if (suite == null) {
            throw new NotHere("the distribution's package is version " + own.version());
        }
        return unpackOther(wanted, suite);
    }

    private static Program unpackOwn(Wanted wanted) throws NotHere {
        Path root = Cache.standard().entry(Distribution.name() + "/" + wanted.program(), (target, scratch) -> {
            progress(wanted, "of this system");
            Apt.unpack(wanted.packages(), target, scratch);
            return unpacked(target, wanted);
        });
        return program(root, wanted, "package " + wanted.packages().get(0));
    }

    private static Program unpackOther(Wanted wanted, String suite) throws NotHere {
        Path root = Cache.standard().entry("debian-" + suite + "/" + wanted.program(), (target, scratch) -> {
            progress(wanted, "of Debian " + suite);
            Apt.unpackOfSuite(suite, wanted.packages(), target, scratch);
            return unpacked(target, wanted);
        });
        return program(root, wanted, "package " + wanted.packages().get(0) + " of Debian " + suite);
    }

    private static void progress(Wanted wanted, String from) {
        Servers.say("downloading and unpacking the package " + wanted.packages().get(0) + " " + from + " (once)");
    }

    private static Path unpacked(Path root, Wanted wanted) throws NotHere {
        return wanted.below(root)
                .orElseThrow(() -> new NotHere("the package "
                        + wanted.packages().get(0) + " holds no " + wanted.unpacked() + "/" + wanted.program()));
    }

    private static Program program(Path root, Wanted wanted, String origin) throws NotHere {
        Map<String, String> environment =
                libraries(root).map(path -> Map.of("LD_LIBRARY_PATH", path)).orElse(Map.of());
        return program(wanted, unpacked(root, wanted), environment, origin + " in " + root);
    }

    private static Program program(Wanted wanted, Path file, Map<String, String> environment, String origin)
            throws NotHere {
        String settings = environment.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(" "));
        List<String> ask = Stream.of(
                        Stream.of("env"),
                        settings.isEmpty() ? Stream.<String>empty() : Stream.of(settings),
                        Stream.of(file.toString(), "--version"))
                .flatMap(words -> words)
                .toList();
        Shell.Result result = Shell.run(LIMIT, ask);
        Matcher version = VERSION.matcher(result.output());
        if (!result.succeeded() || !version.find()) {
            throw new NotHere(file + " does not run (" + result.lastLine() + ")");
        }
        return new Program(wanted.command(file), environment, version.group(1), origin);
    }

    private static Optional<String> libraries(Path root) {
        String path = Stream.of("usr/lib", "lib")
                .map(root::resolve)
                .flatMap(Programs::libraryFolders)
                .map(Path::toString)
                .collect(Collectors.joining(":"));
        return Optional.of(path).filter(folders -> !folders.isEmpty());
    }

    private static Stream<Path> libraryFolders(Path lib) {
        try (Stream<Path> folders = Files.list(lib)) {
            return folders.filter(folder -> folder.getFileName().toString().contains("-linux-")).toList().stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    static boolean matches(Program program, Optional<String> version) {
        return version.map(prefix -> (program.version() + ".").startsWith(prefix + "."))
                .orElse(true);
    }
}
