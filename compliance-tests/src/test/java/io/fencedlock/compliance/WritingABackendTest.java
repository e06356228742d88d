package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What docs/writing-a-backend.md shows is what is compiled and run here. */
class WritingABackendTest {

    private static final Path SOURCES = Path.of("src/test/java/io/fencedlock/compliance");

    @Test
    void theDocShowsTheCodeThatRuns() throws IOException {
        String doc = Files.readString(Path.of("..", "docs", "writing-a-backend.md"));
        for (String file : new String[] {"FileBackend.java", "FileBackendComplianceTest.java"}) {
            assertThat(doc).contains("```java\n" + Files.readString(SOURCES.resolve(file)) + "```");
        }
    }
}
