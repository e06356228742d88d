package io.fencedlock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Lease;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.servers.Certificates;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a URL can ask for: session times, users, TLS. */
class ConfigurationTest {

    private static final Certificates certificates = Certificates.make();

    @RegisterExtension
    static final Rig rig = new Rig(() -> Servers.start(
            Store.ZOOKEEPER, ServerOptions.defaults().tls(certificates).setting("ssl.clientAuth", "need")));

    private String url(String user, String options) {
        return rig.server().url().replace("//", "//" + user) + rig.prefix() + Rig.SESSION + options;
    }

    /** Z18: this server grants sessions of 1 s to 20 ticks of 500 ms. */
    @Test
    void sessionChangedByTheServer_isShown() throws Exception {
        FencedLocks locks = Rig.ready(
                rig.opened(FencedLocks.connect(rig.server().url() + rig.prefix() + "?lease=600s&command-timeout=1s")));
        assertThat(locks.profile().notes()).anyMatch(note -> note.contains("600000 ms") && note.contains("10000 ms"));
        try (Lease lease = locks.get("a").acquire()) {
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(7500));
        }
        assertThat(rig.connect().profile().notes()).noneMatch(note -> note.contains("was asked for"));
    }

    @Test
    void sessionChangedByTheServer_strictRefuses() {
        FencedLocks locks = rig.opened(FencedLocks.connect(
                rig.server().url() + rig.prefix() + "?lease=600s&command-timeout=2s&strict-session=true"));
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
        return rig.server().tlsUrl() + rig.prefix() + "?lease=4s&command-timeout=3s" + options;
    }

    private static String trust() {
        return "&tls-ca=" + certificates.file("ca.crt");
    }

    private static String identity() {
        return "&tls-cert=" + certificates.file("client.crt") + "&tls-key=" + certificates.file("client.key");
    }

    /** Z21: the certificate names an address, not a host. This server wants to see a certificate, too. */
    @Test
    void tls_worksWithBothCertificates() throws Exception {
        FencedLocks locks = Rig.ready(rig.opened(FencedLocks.connect(tls(trust() + identity()))));
        try (Lease lease = locks.get("a").acquire()) {
            assertThat(rig.connect().inspect("a").orElseThrow().token()).isEqualTo(lease.token());
        }
    }

    @Test
    void tls_withoutTheRightCertificatesIsUnavailable() {
        for (String options : List.of(identity(), trust())) {
            FencedLocks locks = rig.opened(FencedLocks.connect(tls(options)));
            assertThatThrownBy(() -> locks.get("a").tryAcquire()).isInstanceOf(BackendUnavailableException.class);
        }
    }

    /** The driver wants certificate and key in one file. */
    @Test
    void tls_keyIsWrittenForThisUserAloneAndUnreadableAndNotForLong() throws Exception {
        ZKClientConfig driver = Rig.settings(tls(trust() + identity())).driver();
        Path store = Path.of(driver.getProperty("zookeeper.ssl.keyStore.location"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> KeyStore.getInstance(store.toFile(), Certificates.PASSWORD.toCharArray()))
                .isInstanceOf(IOException.class);
        ZkTls.clear(driver);
        assertThat(store).doesNotExist();
    }

    @Test
    void tls_filesThatCannotBeUsed_areNamed() {
        String text = certificates.file("ca.p12").toString();
        refused(tls("&tls-ca=/nowhere/ca.crt"), "tls-ca", "/nowhere/ca.crt");
        refused(tls("&tls-ca=" + text), "tls-ca", "certificates", text);
        refused(tls("&tls-cert=" + certificates.file("client.crt")), "tls-cert", "tls-key", "only tls-cert");
        refused(
                tls("&tls-cert=" + certificates.file("client.crt") + "&tls-key=" + certificates.file("client.crt")),
                "tls-key",
                "PKCS#8");
    }

    @Test
    void tlsOptionsWithoutTls_areRefused() {
        refused(url("", trust()), "tls-ca", "zookeepers", "found zookeeper");
    }

    private static void refused(String url, String... words) {
        assertThatThrownBy(() -> FencedLocks.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void clientWithoutALogin_triesNoSasl() {
        assertThat(Rig.settings(url("", "")).driver().isSaslClientEnabled()).isFalse();
    }
}
