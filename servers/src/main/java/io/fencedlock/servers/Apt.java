package io.fencedlock.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Packages of a Debian or Ubuntu system, downloaded and unpacked by its own tools without root and without touching the system: apt
 * works on a state of our own (fresh lists, no locks of the system), checks the signatures with the system's keys, and dpkg-deb only
 * unpacks.
 */
final class Apt {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Path scratch;
    private final List<String> apt;

    private Apt(Path scratch, Optional<String> sources) throws IOException {
        this.scratch = scratch;
        Path lists = scratch.resolve("state/lists");
        Files.createDirectories(lists.resolve("partial"));
        Path archives = scratch.resolve("cache/archives");
        Files.createDirectories(archives.resolve("partial"));
        List<String> words = new ArrayList<>(List.of("apt-get", "-q"));
        option(words, "Dir::State", scratch.resolve("state"));
        option(words, "Dir::State::lists", lists);
        option(words, "Dir::Cache", scratch.resolve("cache"));
        option(words, "Dir::Cache::archives", archives);
        option(words, "Dir::State::status", status(scratch, sources.isPresent()));
        if (sources.isPresent()) {
            Path list = Files.writeString(scratch.resolve("sources.list"), sources.get());
            option(words, "Dir::Etc::sourcelist", list);
            option(words, "Dir::Etc::sourceparts", Files.createDirectories(scratch.resolve("parts")));
            option(words, "Dir::Etc::preferencesparts", scratch.resolve("parts"));
        }
        List<String> settings = List.of(
                "Debug::NoLocking=true",
                "APT::Sandbox::User=root",
                "Acquire::Languages=none",
                "Acquire::Retries=2",
                "Acquire::http::Timeout=20",
                "Acquire::https::Timeout=20",
                "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
                "APT::Update::Post-Invoke-Success::=",
                "APT::Update::Post-Invoke::=");
        settings.forEach(setting -> words.addAll(List.of("-o", setting)));
        this.apt = List.copyOf(words);
    }

    private static void option(List<String> words, String name, Path value) {
        words.addAll(List.of("-o", name + "=" + value));
    }

    /** The packages that this system has; none when the packages are another system's. */
    private static Path status(Path scratch, boolean otherSystem) throws IOException {
        Path own = Path.of("/var/lib/dpkg/status");
        return otherSystem || !Files.isReadable(own) ? Files.writeString(scratch.resolve("status"), "") : own;
    }

    /**
     * Unpacks one small package of this system, once.
     *
     * @param program where its program is, below the root that is answered
     */
    static Path unpackedOnce(String name, String program) throws NotHere {
        require();
        return Cache.standard().entry(Distribution.name() + "/" + name, (target, scratch) -> {
            Servers.say("downloading and unpacking the package " + name + " of this system (once)");
            unpack(List.of(name), target, scratch);
            return target.resolve(program);
        });
    }

    /** @throws NotHere if this is another system */
    static void require() throws NotHere {
        for (String tool : List.of("apt-get", "dpkg-deb")) {
            if (Shell.onPath(tool).isEmpty()) {
                throw new NotHere("no package of the distribution (no " + tool + " on the PATH)");
            }
        }
    }

    /** Unpacks the named packages of this system's own suite, and what they need and the system does not have, into a folder. */
    static void unpack(List<String> packages, Path target, Path scratch) throws IOException, NotHere {
        Apt apt = new Apt(scratch, Optional.empty());
        Set<String> names = new LinkedHashSet<>(packages);
        apt.update();
        names.addAll(apt.missing(packages));
        apt.download(names, target);
    }

    /** Unpacks the named packages, nothing else, of another suite of Debian, whatever suite this Debian system follows. */
    static void unpackOfSuite(String suite, List<String> packages, Path target, Path scratch)
            throws IOException, NotHere {
        Apt apt = new Apt(scratch, Optional.of(sources(suite)));
        apt.update();
        apt.download(new LinkedHashSet<>(packages), target);
    }

    private static String sources(String suite) throws NotHere {
        Path key = Cache.firstExisting(Stream.of("pgp", "gpg")
                        .map(end -> Path.of("/usr/share/keyrings/debian-archive-keyring." + end)))
                .orElseThrow(() -> new NotHere("this is not a Debian system (no debian-archive-keyring)"));
        Shell.Result targets =
                Shell.run(LIMIT, "apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages");
        String uri = targets.output()
                .lines()
                .filter(line -> line.matches(".*/debian/?"))
                .findFirst()
                .orElseThrow(() -> new NotHere("the apt sources of this system name no Debian mirror"));
        return "deb [signed-by=" + key + "] " + uri + " " + suite + " main\n";
    }

    /** A source of a third party that cannot be reached does no harm; if one that matters cannot, the download fails. */
    private void update() {
        run("update");
    }

    private List<String> missing(List<String> packages) {
        List<String> words = new ArrayList<>(List.of("install", "--simulate", "--no-install-recommends"));
        words.addAll(packages);
        return run(words.toArray(String[]::new))
                .output()
                .lines()
                .filter(line -> line.startsWith("Inst "))
                .map(line -> line.split(" ", -1)[1])
                .toList();
    }

    private void download(Set<String> names, Path target) throws IOException, NotHere {
        Path debs = Files.createDirectories(scratch.resolve("debs"));
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", debs.toString()));
        words.addAll(apt);
        words.add("download");
        words.addAll(names);
        Shell.Result result = Shell.run(LIMIT, words);
        if (!result.succeeded()) {
            throw new NotHere("apt-get cannot download " + String.join(" ", names) + " (" + result.lastLine() + ")");
        }
        try (Stream<Path> files = Files.list(debs)) {
            for (Path deb : files.sorted().toList()) {
                extract(deb, target);
            }
        }
    }

    private static void extract(Path deb, Path target) throws NotHere {
        Shell.Result result = Shell.run(LIMIT, "dpkg-deb", "--extract", deb.toString(), target.toString());
        if (!result.succeeded()) {
            throw new NotHere("dpkg-deb cannot unpack " + deb.getFileName() + " (" + result.lastLine() + ")");
        }
    }

    private Shell.Result run(String... arguments) {
        List<String> words = new ArrayList<>(apt);
        words.addAll(List.of(arguments));
        return Shell.run(LIMIT, words);
    }
}
