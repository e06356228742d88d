package io.fencedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisRegisterTest {

    private static final HolderId A = HolderId.random();
    private static final HolderId B = HolderId.random();

    private static Server server;
    private FencedRegister register;

    @BeforeAll
    static void start() {
        server = Servers.start(Store.REDIS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        register = FencedRegister.connect(server.url());
        register.remove("r");
    }

    @AfterEach
    void close() {
        register.close();
    }

    @Test
    void fen1_olderTokenIsRefusedWithBothTokens() {
        register.write("r", new FenceMark(34, B), "new");

        assertThatThrownBy(() -> register.write("r", new FenceMark(33, A), "old"))
                .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                    assertThat(e.staleToken()).isEqualTo(33);
                    assertThat(e.acceptedToken()).isEqualTo(34);
                });
        assertThat(register.read("r")).hasValue("new");
        assertThat(register.mark("r")).hasValue(new FenceMark(34, B));
    }

    @Test
    void fen1_equalTokenIsOfItsHolderOnly() {
        register.write("r", new FenceMark(34, A), "one");
        register.write("r", new FenceMark(34, A), "two");

        assertThatThrownBy(() -> register.write("r", new FenceMark(34, B), "three"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(register.read("r")).hasValue("two");
    }

    @Test
    void fen3_advanceRaisesTheMarkWithoutAWrite() {
        register.write("r", new FenceMark(1, A), "one");
        register.advance("r", new FenceMark(2, B));

        assertThatThrownBy(() -> register.write("r", new FenceMark(1, A), "late"))
                .isInstanceOf(StaleTokenException.class);
        assertThat(register.read("r")).hasValue("one");
    }

    @Test
    void fen5_raisedMarkHasNoHolder() {
        register.advance("r", new FenceMark(9, null));

        assertThatThrownBy(() -> register.write("r", new FenceMark(9, A), "x")).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> register.advance("r", new FenceMark(9, null))).isInstanceOf(StaleTokenException.class);
        register.write("r", new FenceMark(10, A), "x");
        assertThat(register.mark("r")).hasValue(new FenceMark(10, A));
    }

    @ParameterizedTest
    @CsvSource({
        "9007199254740992, 9007199254740993",
        "9223372036854775806, 9223372036854775807",
        "9, 10",
        "99, 100",
        "999999999999999999, 1000000000000000000"
    })
    void tok7_marksAreExact(long lower, long higher) {
        register.write("r", new FenceMark(higher, A), "higher");
        assertThatThrownBy(() -> register.write("r", new FenceMark(lower, A), "lower"))
                .isInstanceOf(StaleTokenException.class);

        register.remove("r");
        register.write("r", new FenceMark(lower, A), "lower");
        register.write("r", new FenceMark(higher, B), "higher");
        assertThat(register.mark("r")).hasValue(new FenceMark(higher, B));
    }

    @Test
    void writeUnfenced_leavesTheMarkAlone() {
        register.write("r", new FenceMark(3, A), "fenced");
        register.writeUnfenced("r", "stale");

        assertThat(register.read("r")).hasValue("stale");
        assertThat(register.mark("r")).hasValue(new FenceMark(3, A));
    }

    @Test
    void emptyRegisterHasNeitherValueNorMark() {
        assertThat(register.read("r")).isEmpty();
        assertThat(register.mark("r")).isEmpty();
        assertThatThrownBy(() -> register.read(" ")).isInstanceOf(IllegalArgumentException.class);
    }
}
