package io.fencedlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources of this module must not contain. */
class SourceRulesTest {

    private static final Path SOURCES = Path.of("src/main/java/io/fencedlock");

    @Test
    void wallClock_isReadInThreePlacesOnly() throws IOException {
        assertThat(filesWith("currentTimeMillis", "Instant.now", "new Date("))
                .as(
                        "SystemClock: witness of a suspension; MemoryStore: where tokens begin; MemoryFence: when a mark was last used")
                .containsExactlyInAnyOrder("SystemClock.java", "MemoryStore.java", "MemoryFence.java");
    }

    @Test
    void nanoTime_isReadByTheClockOnly() throws IOException {
        assertThat(filesWith("nanoTime()")).containsExactly("SystemClock.java");
    }

    @Test
    void nobodySleeps() throws IOException {
        assertThat(filesWith("Thread.sleep", "parkNanos")).isEmpty();
    }

    private static List<String> filesWith(String... words) throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            return files.filter(
                            file -> Stream.of(words).anyMatch(word -> code(file).contains(word)))
                    .map(file -> file.getFileName().toString())
                    .toList();
        }
    }

    /** The file without its comments. */
    private static String code(Path file) {
        try {
            return Files.readString(file).replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//.*", "");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
