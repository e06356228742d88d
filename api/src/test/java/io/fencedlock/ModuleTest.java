package io.fencedlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The module's descriptor says the same as META-INF/services, which the class path uses. */
class ModuleTest {

    @Test
    void descriptor_exportsOnePackageAndProvidesTheMemoryBackend() {
        ModuleDescriptor descriptor = ModuleFinder.of(Path.of("target/classes"))
                .find("io.fencedlock")
                .orElseThrow()
                .descriptor();
        assertThat(descriptor.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactly("io.fencedlock");
        assertThat(descriptor.provides())
                .singleElement()
                .satisfies(
                        provided -> assertThat(provided.providers()).containsExactly("io.fencedlock.MemoryProvider"));
    }
}
