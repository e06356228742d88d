package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.servers.Certificates;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a URL can ask for: session times, users, TLS. */
class ConfigurationTest {

    private static Certificates certificates;
    private static Server server;

    private final Rig rig = new Rig(server);

    @BeforeAll
    static void start() {
        certificates = Certificates.make();
        server = Servers.start(Store.ZOOKEEPER, ServerOptions.defaults().tls(certificates));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    private String url(String user, String options) {
        return server.url().replace("//", "//" + user) + rig.prefix() + Rig.SESSION + options;
    }

    /** Z18: this server grants sessions of 1 s to 20 ticks of 500 ms. */
    @Test
    void sessionChangedByTheServer_isShown() throws Exception {
        FencedLocks locks = Rig.ready(
                rig.opened(FencedLocks.connect(server.url() + rig.prefix() + "?lease=600s&command-timeout=1s")));
        assertThat(locks.profile().notes()).anyMatch(note -> note.contains("600000 ms") && note.contains("10000 ms"));
        try (Lease lease = locks.get("a").acquire()) {
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(7500));
        }
        assertThat(rig.connect().profile().notes()).noneMatch(note -> note.contains("was asked for"));
    }

    @Test
    void sessionChangedByTheServer_strictRefuses() {
        FencedLocks locks = rig.opened(FencedLocks.connect(
                server.url() + rig.prefix() + "?lease=600s&command-timeout=2s&strict-session=true"));
        assertThatThrownBy(() -> locks.get("a").tryAcquire())
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("strict-session")
                .hasMessageContaining("10000 ms")
                .hasMessageContaining("600000 ms");
    }

    /** Z19. */
    @ParameterizedTest
    @ValueSource(strings = {"0s", "1ms", "999ms"})
    void sessionTooShort_isRefused(String lease) {
        assertThatThrownBy(() -> FencedLocks.connect("zookeeper://h:1?lease=" + lease))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("lease");
    }

    @ParameterizedTest
    @CsvSource({"/zookeeper", "/zookeeper/a", "/a//b", "/../a", "//"})
    void pathThatIsNoPlaceForNodes_isRefused(String path) {
        assertThatThrownBy(() -> FencedLocks.connect("zookeeper://h:1" + path))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("path");
    }

    @Test
    void usersOfOnePrefix_areToldApart() throws Exception {
        FencedLocks one = Rig.ready(rig.opened(FencedLocks.connect(url("ann:s3cret@", ""))));
        one.get("a").acquire();
        FencedLocks two = rig.opened(FencedLocks.connect(url("bob:other@", "")));
        FencedLocks wrong = rig.opened(FencedLocks.connect(url("ann:wr0ng@", "")));
        FencedLocks nobody = rig.opened(FencedLocks.connect(url("", "")));
        for (FencedLocks locks : new FencedLocks[] {two, wrong, nobody}) {
            assertThatThrownBy(() -> locks.get("a").tryAcquire())
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("belongs to another user")
                    .hasMessageNotContainingAny("s3cret", "other@", "wr0ng");
            assertThatThrownBy(() -> locks.inspect("a")).isInstanceOf(BackendUnavailableException.class);
        }
        FencedLocks same = Rig.ready(rig.opened(FencedLocks.connect(url("ann:s3cret@", ""))));
        assertThat(same.get("a").tryAcquire()).isEmpty();
        try (FencedRegister register = FencedRegister.connect(url("ann:s3cret@", ""))) {
            register.writeUnfenced("r", "x");
            assertThat(register.read("r")).contains("x");
        }
    }

    @Test
    void userWithoutPassword_isRefused() {
        assertThatThrownBy(() -> FencedLocks.connect(url("", "&user=ann")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("user and password");
    }

    private String tls(String options) {
        return server.tlsUrl() + rig.prefix() + "?lease=4s&command-timeout=3s" + options;
    }

    private static String trust() {
        return "&trust-store=" + certificates.file("ca.p12") + "&trust-store-password=" + Certificates.PASSWORD;
    }

    /** Z21: the certificate names an address, not a host. */
    @Test
    void tls_works() throws Exception {
        FencedLocks locks = Rig.ready(rig.opened(FencedLocks.connect(tls(trust()))));
        try (Lease lease = locks.get("a").acquire()) {
            assertThat(rig.connect().inspect("a").orElseThrow().token()).isEqualTo(lease.token());
        }
    }

    @Test
    void tls_untrustedServerIsUnavailable() {
        FencedLocks locks = rig.opened(FencedLocks.connect(tls("")));
        assertThatThrownBy(() -> locks.get("a").tryAcquire()).isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void tls_wrongPasswordOfTheTrustStore_isNotShown() {
        FencedLocks locks = rig.opened(FencedLocks.connect(
                tls("&trust-store=" + certificates.file("ca.p12") + "&trust-store-password=topsecret")));
        assertThatThrownBy(() -> locks.get("a").tryAcquire())
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageNotContaining("topsecret");
    }

    @Test
    void tls_filesThatAreNotThere_areNamed() {
        assertThatThrownBy(() -> FencedLocks.connect(tls("&trust-store=/nowhere/ca.p12")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("trust-store")
                .hasMessageContaining("/nowhere/ca.p12");
    }

    @Test
    void tlsOptionsWithoutTls_areRefused() {
        assertThatThrownBy(() -> FencedLocks.connect(url("", trust())))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("zookeepers://");
    }
}
