package io.fencedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockNameTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a:b", "{a}b", ".", "..", "é", "日本", "😀", "a b", "%"})
    void allowed(String name) {
        assertThat(new LockName(name).value()).isEqualTo(name);
    }

    @Test
    void longest_isCountedInBytes() {
        assertThat(new LockName("é".repeat(256)).value()).hasSize(256);
        assertThatThrownBy(() -> new LockName("é".repeat(257)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 512 UTF-8 bytes, found 514");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "a\nb", "a\u0000", "\u007f"})
    void refused(String name) {
        assertThatThrownBy(() -> new LockName(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refused_loneSurrogate_saysWhere() {
        assertThatThrownBy(() -> new LockName("ab\ud800"))
                .hasMessage("a lock name must not contain a lone surrogate, found \\ud800 at index 2 of \"ab\\ud800\"");
        assertThatThrownBy(() -> new LockName("\udc00x")).hasMessageContaining("lone surrogate");
    }

    @Test
    void neverNormalised() {
        assertThat(new LockName("e\u0301")).isNotEqualTo(new LockName("\u00e9"));
    }
}
