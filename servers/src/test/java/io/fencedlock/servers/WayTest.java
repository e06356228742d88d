package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which way to a server is taken, and what is said when there is none. */
class WayTest {
    private static final String WAYS = "fencedlock.servers.ways";

    @ParameterizedTest
    @EnumSource
    void nothingWorks_saysWhatWasLookedForAndThreeWays(Store store) throws Exception {
        with(WAYS + "." + store.scheme(), "address,path", () -> {
            assertThatThrownBy(
                            () -> Servers.start(store, ServerOptions.defaults().version("0.0")))
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessageStartingWith("no " + store.title() + " 0.0 server could be had: no address in ")
                    .hasMessageContaining(" ways to get one: give the address of a running one (-D")
                    .hasMessageContaining(Way.existing(store).contains(Way.DOCKER) ? "Three ways" : "Two ways")
                    .hasMessageContaining(store == Store.ZOOKEEPER ? "on the class path" : "apt install");
            return null;
        });
    }

    @ParameterizedTest
    @EnumSource
    void addressGiven_isUsedButNeverHarmed(Store store) throws Exception {
        try (Server running = Servers.start(store, ServerOptions.defaults().throwAway())) {
            with(store.addressProperty(), running.url(), () -> {
                try (Server given = Servers.start(store)) {
                    assertThat(given.url()).isEqualTo(running.url());
                    assertThat(given.canBeHarmed()).isFalse();
                    assertThat(given.version()).startsWith(running.version());
                    assertThatThrownBy(given::kill).isInstanceOf(UnsupportedOperationException.class);
                    assertThatThrownBy(given::pause).isInstanceOf(UnsupportedOperationException.class);
                    assertThatThrownBy(() -> given.restart(Data.WIPE))
                            .isInstanceOf(UnsupportedOperationException.class);
                }
                running.awaitReady(Duration.ofSeconds(60));
                try (Server own = Servers.start(store, ServerOptions.defaults().throwAway())) {
                    assertThat(own.url()).isNotEqualTo(running.url());
                }
                return null;
            });
        }
    }

    @Test
    void addressGivenWrongly_isRefusedWithoutItsPassword() throws Exception {
        with("fencedlock.servers.redis", "http://user:secret@example.invalid", () -> {
            assertThatThrownBy(() -> Servers.start(Store.REDIS))
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessageContaining("redis://host:port")
                    .hasMessageNotContaining("secret");
            return null;
        });
    }

    @Test
    void unknownWay_namesTheKnownOnes() throws Exception {
        with(WAYS, "path,pigeon", () -> {
            assertThatThrownBy(() -> Servers.start(Store.REDIS))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("address, docker, path, package, jar")
                    .hasMessageContaining("pigeon");
            return null;
        });
    }

    @Test
    void newerEtcd_isHadOnDebian() throws Exception {
        try (Server etcd = Servers.start(Store.ETCD, ServerOptions.defaults().version("3.5"))) {
            assertThat(etcd.version()).startsWith("3.5.");
        }
    }

    @Test
    void wrongSetting_isReportedWithTheServersOwnWords() {
        assertThatThrownBy(() ->
                        Servers.start(Store.REDIS, ServerOptions.defaults().setting("no-such-setting", "1")))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    void files_lieBesideTheServer() throws Exception {
        ServerOptions options =
                ServerOptions.defaults().file("more.conf", "maxclients 77\n").setting("include", "{files}/more.conf");
        try (Server redis = Servers.start(Store.REDIS, options);
                Wire wire = Wire.connect(redis.address())) {
            wire.send("CONFIG GET maxclients\r\n");
            String reply = "";
            for (int line = 0; line < 5; line++) {
                reply += wire.readLine() + " ";
            }
            assertThat(reply).contains(" 77 ");
        }
    }

    @Test
    void cache_doesNotUseWhatIsNotWhole(@TempDir Path root) throws Exception {
        Cache cache = new Cache(root);
        Cache.Filler filler = (target, scratch) -> Files.writeString(target.resolve("program"), "whole");
        Path entry = cache.entry("system/program", filler);
        assertThat(entry.resolve("program")).hasContent("whole");
        assertThat(cache.entry("system/program", (target, scratch) -> {
                    throw new AssertionError("made again");
                }))
                .isEqualTo(entry);

        Files.writeString(entry.resolve("program"), "half");
        assertThat(cache.entry("system/program", filler).resolve("program")).hasContent("whole");

        assertThatThrownBy(() -> cache.entry("other", (target, scratch) -> {
                    Files.writeString(target.resolve("part"), "x");
                    throw new NotHere("out of luck");
                }))
                .hasMessage("out of luck");
        assertThat(Arrays.asList(root.toFile().list())).containsExactlyInAnyOrder("lock", "system");
    }

    private static void with(String property, String value, Callable<?> test) throws Exception {
        String before = System.getProperty(property);
        System.setProperty(property, value);
        try {
            test.call();
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }
}
