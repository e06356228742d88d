package io.fencedlock.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder where unpacked packages stay from run to run: {@code .servers} at the top of a checkout of this project, else in the
 * user's cache folder. An entry appears by one rename when it is whole; processes that want to make it take turns.
 */
final class Cache {
    private static final Duration TURN = Duration.ofMinutes(5);
    private static final String MARKER = ".fencedlock-complete";

    /** Fills a new entry. */
    interface Filler {
        /** Puts the entry's files below {@code target}; may use {@code scratch} as it likes. Returns the file to check later. */
        Path fill(Path target, Path scratch) throws IOException, NotHere;
    }

    private final Path root;

    Cache(Path root) {
        this.root = root;
    }

    static Cache standard() {
        return new Cache(Settings.get("fencedlock.servers.cache")
                .map(chosen -> Path.of(chosen).toAbsolutePath())
                .orElseGet(Cache::defaultRoot));
    }

    private static Path defaultRoot() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("servers/pom.xml"))
                    && Files.isDirectory(folder.resolve("compliance-tests"))
                    && Files.isWritable(folder)) {
                return folder.resolve(".servers");
            }
        }
        String base = System.getenv("XDG_CACHE_HOME");
        Path home = Path.of(System.getProperty("user.home", "/nonexistent"));
        if (base != null && !base.isBlank()) {
            return Path.of(base).resolve("fencedlock/servers");
        }
        return Files.isWritable(home)
                ? home.resolve(".cache/fencedlock/servers")
                : Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "fencedlock-cache-" + System.getProperty("user.name", "user"));
    }

    /** The entry of this name, made now if it is not there whole. */
    Path entry(String name, Filler filler) throws NotHere {
        try {
            Files.createDirectories(root);
            Path entry = root.resolve(name);
            if (isWhole(entry)) {
                return entry;
            }
            // The monitor keeps threads of this JVM apart, the file lock other processes: a file lock belongs to the
            // JVM.
            synchronized (Cache.class) {
                try (FileChannel channel = FileChannel.open(
                                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock turn = lock(channel)) {
                    if (turn.isValid() && !isWhole(entry)) {
                        make(entry, filler);
                    }
                    return entry;
                }
            }
        } catch (IOException e) {
            throw new NotHere("the cache " + root + " cannot be written (" + e + ")");
        }
    }

    private FileLock lock(FileChannel channel) {
        FileLock[] turn = new FileLock[1];
        Wait.until(TURN, () -> "another process holds " + root.resolve("lock") + " and does not let go", () -> {
            try {
                turn[0] = channel.tryLock();
                return turn[0] != null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return turn[0];
    }

    private void make(Path entry, Filler filler) throws IOException, NotHere {
        Path work = root.resolve("tmp");
        deleteTree(work); // what a killed process left
        deleteTree(entry);
        Path target = Files.createDirectories(work.resolve("target"));
        try {
            Path checked = filler.fill(target, Files.createDirectories(work.resolve("scratch")));
            String relative = target.relativize(checked).toString();
            Files.writeString(target.resolve(MARKER), sha256(checked) + " " + relative + "\n");
            Files.createDirectories(entry.getParent());
            Files.move(target, entry, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            deleteTree(work);
        }
    }

    /** The marker is written last, and holds the checksum of the file that matters most. */
    private static boolean isWhole(Path entry) {
        try {
            String[] words = Files.readString(entry.resolve(MARKER)).strip().split(" ", 2);
            return words.length == 2 && words[0].equals(sha256(entry.resolve(words[1])));
        } catch (IOException e) {
            return false;
        }
    }

    private static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Deletes a folder with all that is in it; without effect if it does not exist. */
    static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE; // gone meanwhile: a dying server removes its own temporary files
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @org.jspecify.annotations.Nullable IOException e)
                    throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The first existing one of these folders and files. */
    static Optional<Path> firstExisting(Stream<Path> candidates) {
        return candidates.filter(Files::exists).findFirst();
    }
}
