package io.fencedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

    private static final String CANARY = "s3cr3t";

    /** Keeps what it was opened with. */
    private static final class Recorder implements FencedLockProvider {
        private static final Option<Integer> DATABASE = Option.number("database", 0, 15, "0", "The database.");
        private BackendConfig opened;

        @Override
        public String name() {
            return "recorder";
        }

        @Override
        public Map<String, Integer> schemes() {
            return Map.of("rec", 77, "rec-memory", 0);
        }

        @Override
        public List<Option<?>> options() {
            return List.of(DATABASE);
        }

        @Override
        public FencedLockBackend open(BackendConfig config) {
            opened = config;
            return new MemoryStore(config.clock()).backend();
        }

        @Override
        public FencedRegister openRegister(BackendConfig config) {
            return new MemoryRegister();
        }
    }

    private final Recorder recorder = new Recorder();

    private FencedLocksBuilder configure() {
        return FencedLocks.configure().provider(recorder);
    }

    private BackendConfig opened(FencedLocksBuilder builder) {
        builder.connect().close();
        return recorder.opened;
    }

    @Test
    void url_allParts() {
        BackendConfig config =
                opened(configure().url("rec://us%40er:p%2Fa%3Ass@h1:1,[::1]:2,h3/some/path?lease=10s&database=3"));
        assertThat(config.endpoints())
                .containsExactly(new Endpoint("h1", 1), new Endpoint("::1", 2), new Endpoint("h3", 77));
        assertThat(config.get(SharedOptions.USER)).isEqualTo("us@er");
        assertThat(config.get(SharedOptions.PASSWORD).value()).isEqualTo("p/a:ss");
        assertThat(config.path()).isEqualTo("some/path");
        assertThat(config.get(SharedOptions.LEASE)).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.get(Recorder.DATABASE)).isEqualTo(3);
        assertThat(config.toString())
                .contains("h1:1", "[::1]:2", "password=***")
                .doesNotContain("p/a:ss");
    }

    @Test
    void precedence_callUrlPropertiesEnvironmentDefault() {
        Properties properties = new Properties();
        properties.setProperty("fencedlock.url", "rec://h");
        properties.setProperty("fencedlock.lease", "20s");
        properties.setProperty("other.key", "ignored");
        Map<String, String> environment = Map.of(
                "FENCEDLOCK_LEASE", "30s", "FENCEDLOCK_COMMAND_TIMEOUT", "123ms", "FENCEDLOCK_NAME", "not an option");
        FencedLocksBuilder builder = configure().environment(environment);
        assertThat(opened(builder.url("rec://h")).get(SharedOptions.LEASE)).isEqualTo(Duration.ofSeconds(30));
        assertThat(opened(builder).commandTimeout()).isEqualTo(Duration.ofMillis(123));
        assertThat(opened(builder.properties(properties)).get(SharedOptions.LEASE))
                .isEqualTo(Duration.ofSeconds(20));
        assertThat(opened(builder.url("rec://h?lease=40s")).get(SharedOptions.LEASE))
                .isEqualTo(Duration.ofSeconds(40));
        assertThat(opened(builder.option("lease", "50s")).get(SharedOptions.LEASE))
                .isEqualTo(Duration.ofSeconds(50));
        assertThat(opened(configure().url("rec://h")).get(SharedOptions.LEASE)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void url_fromPropertiesThenEnvironment() {
        assertThat(opened(configure().environment(Map.of("FENCEDLOCK_URL", "rec://env")))
                        .endpoints())
                .containsExactly(new Endpoint("env", 77));
        assertThat(opened(configure()
                                .environment(Map.of("FENCEDLOCK_URL", "rec://env"))
                                .properties(Map.of("fencedlock.url", "rec://props")))
                        .endpoints())
                .containsExactly(new Endpoint("props", 77));
        assertThatThrownBy(() -> configure().connect())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("FENCEDLOCK_URL");
    }

    @ParameterizedTest
    @CsvSource({"200ms,PT0.2S", "10s,PT10S", "5m,PT5M", "1h,PT1H", "PT10S,PT10S", "pt1m,PT1M"})
    void durations(String text, Duration expected) {
        assertThat(SharedOptions.LEASE.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "-1s", "0s", "s", "1.5s", "ten", "99999999999999999999s", "999999999999h"})
    void durations_refused(String text) {
        assertThatThrownBy(() -> SharedOptions.LEASE.parse(text))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage("option lease takes duration (200ms, 10s, 5m, 1h or PT10S), found \"" + text + "\"");
    }

    @Test
    void commandTimeout_isAThirdOfTheLeaseAndAtMostASecond() {
        assertThat(opened(configure().url("rec://h?lease=600ms")).commandTimeout())
                .isEqualTo(Duration.ofMillis(200));
        assertThat(opened(configure().url("rec://h?lease=1h")).commandTimeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void unknownOption_namesTheNearestAndTheKnown() {
        assertThatThrownBy(() -> configure().url("rec://h?leese=1s").connect())
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("unknown option leese; did you mean lease?");
        assertThatThrownBy(() -> configure().url("rec://h?zzz=1").connect())
                .hasMessageContaining("unknown option zzz; known: command-timeout, database, lease");
        assertThatThrownBy(() -> configure()
                        .url("rec://h")
                        .properties(Map.of("fencedlock.databse", "1"))
                        .connect())
                .hasMessageContaining("did you mean database?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rec://user:s3cr3t@h:99999",
                "rec://user:s3cr3t@h?lease=%zz",
                "rec://user:s3cr3t@h?password=x",
                "rec://user:s3/cr3t@h",
                "rec://user:s3cr3t",
                "://user:s3cr3t@h",
                "rec://user:s3cr3t@h?leese=1s",
                "nope://user:s3cr3t@h",
                "rec://user:%zzs3cr3t@h",
                "rec://:s3cr3t@h:x",
                "rec://h?password=s3cr3t&leese=1",
                "rec://user:s3cr3t@h#x",
                "rec-memory://user:s3cr3t@h",
                "rec://user:s3cr3t@h?database=99",
                "rec:user:s3cr3t@h",
            })
    void wrongUrl_messageHasNoSecret(String url) {
        assertThatThrownBy(() -> configure().url(url).connect())
                .isInstanceOf(LockConfigurationException.class)
                .satisfies(e -> {
                    for (Throwable t = e; t != null; t = t.getCause()) {
                        assertThat(t.toString()).doesNotContain(CANARY).doesNotContain("cr3t");
                    }
                });
    }

    @Test
    void secretOption_isNotShown() {
        assertThat(new Secret(CANARY).toString()).isEqualTo("***");
    }

    @Test
    void unknownScheme_listsWhatWasFound() {
        assertThatThrownBy(() -> FencedLocks.connect("rediss://h"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("no backend for scheme \"rediss\"; found: memory (memory)");
    }

    @Test
    void brokenProvider_doesNotBreakTheOthersAndIsNamed() {
        ClassLoader loader = new BrokenServices(getClass().getClassLoader());
        FencedLocks.configure().classLoader(loader).url("memory:").connect().close();
        assertThatThrownBy(() -> FencedLocks.configure()
                        .classLoader(loader)
                        .url("nope://h")
                        .connect())
                .hasMessageContaining("found: memory (memory)")
                .hasMessageContaining("failed to load: ")
                .hasMessageContaining("does.not.Exist");
    }

    @Test
    void url_hostsWhereThereMustBeNone() {
        assertThatThrownBy(() -> FencedLocks.connect("memory://host"))
                .hasMessageContaining("a memory URL names no host");
        assertThatThrownBy(() -> configure().url("rec:").connect())
                .hasMessageContaining("a rec URL names at least one host:port");
    }

    /** Adds a provider that cannot be loaded. */
    private static final class BrokenServices extends ClassLoader {
        BrokenServices(ClassLoader parent) {
            super(parent);
        }

        @Override
        public java.util.Enumeration<java.net.URL> getResources(String name) throws java.io.IOException {
            List<java.net.URL> all = new java.util.ArrayList<>();
            if (name.startsWith("META-INF/services/")) {
                all.add(getParent().getResource("broken-services"));
            }
            all.addAll(java.util.Collections.list(super.getResources(name)));
            return java.util.Collections.enumeration(all);
        }
    }
}
