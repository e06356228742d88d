package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which children of a stripe are contenders. */
class ZkPathsTest {

    private static final String IDS = "0123456789abcdef".repeat(2) + "-" + "fedcba9876543210".repeat(2) + "-";

    @ParameterizedTest
    @CsvSource({"0000000000, 0", "2147483647, 2147483647", "-000000001, -1", "-2147483648, -2147483648"})
    void contender(String sequence, int number) {
        assertThat(ZkPaths.isContender(IDS + sequence)).isTrue();
        assertThat(ZkPaths.sequenceOf(IDS + sequence)).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000, 000000000",
        "0000000000, 00000000000",
        "0000000000, -00000000000",
        "0000000000, -00000000",
        "0000000000, 00000000x0",
        "0000000000, -",
        "0000000000, ''",
        "-, _",
        "f, g",
        "a, A",
        "1, 11"
    })
    void somethingElse(String good, String bad) {
        assertThat(ZkPaths.isContender((IDS + "0000000000").replace(good, bad))).isFalse();
    }
}
