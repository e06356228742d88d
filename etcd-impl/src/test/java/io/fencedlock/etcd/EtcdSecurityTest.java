package io.fencedlock.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.Permission;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Users, passwords and certificates. */
@SuppressWarnings("try") // some leases are only held
class EtcdSecurityTest {

    private static final Duration FIRST = Duration.ofSeconds(20);

    private static Certificates certificates;

    @BeforeAll
    static void makeCertificates() {
        certificates = Certificates.make();
    }

    @Test
    void userWithARoleForThePrefix_locksAndOthersAreToldWhy() throws Exception {
        try (Server server = Servers.start(Store.ETCD, ServerOptions.defaults().throwAway())) {
            enableLogins(server);
            String host = "127.0.0.1:" + server.address().getPort();
            String good = "etcd://worker:s%40cret@" + host + "/locks?lease=15s&command-timeout=5s";
            try (FencedLocks locks = FencedLocks.connect(good);
                    FencedLocks other = FencedLocks.connect(good);
                    FencedRegister register = FencedRegister.connect(good)) {
                Lease held = locks.get("a").tryAcquire(FIRST).orElseThrow();
                CompletableFuture<Lease> waiting = other.get("a").acquireAsync();
                assertThat(locks.get("a").tryAcquire(Duration.ofMillis(500))).isEmpty();
                register.write("r", held.mark(), "v");
                held.close();
                waiting.get(30, TimeUnit.SECONDS).close();
                assertThat(register.read("r")).hasValue("v");
            }
            refused("etcd://worker:wrong-pw@" + host + "/locks", "authentication failed", "wrong-pw");
            refused("etcd://" + host + "/locks", "user name is empty", "s@cret");
            refused("etcd://worker:s%40cret@" + host + "/elsewhere", "permission denied", "s@cret");
        }
    }

    private static void refused(String url, String why, String secret) {
        try (FencedLocks locks = FencedLocks.connect(url + "?command-timeout=5s")) {
            assertThatThrownBy(() -> locks.get("a").tryAcquire())
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining(why)
                    .hasMessageNotContaining(secret);
        }
    }

    @Test
    void userGivenToAServerWithoutLogins_isNoError() throws Exception {
        try (Server server = Servers.start(Store.ETCD);
                FencedLocks locks = FencedLocks.connect(
                        "etcd://u:p@127.0.0.1:" + server.address().getPort() + "/s" + System.nanoTime());
                Lease lease = locks.get("a").tryAcquire(FIRST).orElseThrow()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    private static void enableLogins(Server server) {
        try (EtcdProbe probe = new EtcdProbe(server)) {
            probe.call(AuthGrpc.getUserAddMethod(), user("root", "root"));
            probe.call(AuthGrpc.getUserAddMethod(), user("worker", "s@cret"));
            probe.call(
                    AuthGrpc.getRoleAddMethod(),
                    AuthRoleAddRequest.newBuilder().setName("locker").build());
            ByteString start = ByteString.copyFromUtf8("locks/");
            probe.call(
                    AuthGrpc.getRoleGrantPermissionMethod(),
                    AuthRoleGrantPermissionRequest.newBuilder()
                            .setName("locker")
                            .setPerm(Permission.newBuilder()
                                    .setPermType(Permission.Type.READWRITE)
                                    .setKey(start)
                                    .setRangeEnd(EtcdKeys.end(start)))
                            .build());
            probe.call(AuthGrpc.getUserGrantRoleMethod(), role("root", "root"));
            probe.call(AuthGrpc.getUserGrantRoleMethod(), role("worker", "locker"));
            probe.call(AuthGrpc.getAuthEnableMethod(), AuthEnableRequest.getDefaultInstance());
        }
    }

    private static AuthUserAddRequest user(String name, String password) {
        return AuthUserAddRequest.newBuilder()
                .setName(name)
                .setPassword(password)
                .build();
    }

    private static AuthUserGrantRoleRequest role(String user, String role) {
        return AuthUserGrantRoleRequest.newBuilder().setUser(user).setRole(role).build();
    }

    @Test
    void tls_isCheckedAgainstTheCertificatesGiven() throws Exception {
        try (Server server = Servers.start(Store.ETCD, ServerOptions.defaults().tls(certificates))) {
            String trusting = server.tlsUrl() + "/tls?command-timeout=5s&tls-ca=" + certificates.file("ca.crt");
            reachable(trusting + "&authority=localhost");
            reachable(trusting);
            String elsewhere = "&authority=elsewhere.example";
            unreachable(trusting + elsewhere);
            reachable(trusting + elsewhere + "&tls-verify=ca");
            reachable(server.tlsUrl() + "/tls?command-timeout=5s&tls-verify=none" + elsewhere);
            unreachable(server.tlsUrl() + "/tls?command-timeout=5s&tls-verify=ca");
            unreachable(server.tlsUrl() + "/tls?command-timeout=5s");
            unreachable("etcd://127.0.0.1:" + server.tlsAddress().orElseThrow().getPort() + "?command-timeout=5s");
        }
    }

    @Test
    void tls_showsTheCertificateGiven() throws Exception {
        ServerOptions options = ServerOptions.defaults()
                .tls(certificates)
                .setting("client-cert-auth", "true")
                .setting("trusted-ca-file", "{files}/ca.crt");
        try (Server server = Servers.start(Store.ETCD, options)) {
            String trusting = server.tlsUrl() + "/tls?command-timeout=5s&tls-ca=" + certificates.file("ca.crt");
            reachable(trusting + "&tls-cert=" + certificates.file("client.crt") + "&tls-key="
                    + certificates.file("client.key"));
            unreachable(trusting);
        }
    }

    private static void reachable(String url) throws Exception {
        try (FencedLocks locks = FencedLocks.connect(url);
                Lease lease = locks.get("a").tryAcquire(FIRST).orElseThrow()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    private static void unreachable(String url) {
        try (FencedLocks locks = FencedLocks.connect(url)) {
            assertThatThrownBy(() -> locks.get("a").tryAcquire())
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("etcd at 127.0.0.1");
        }
    }

    @Test
    void tlsOptions_thatCannotBeUsedAreNamed() {
        assertThatThrownBy(() -> FencedLocks.connect("etcd://localhost?tls-ca=/no"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("tls-ca")
                .hasMessageContaining("etcds");
        assertThatThrownBy(() -> FencedLocks.connect("etcds://localhost?tls-ca=/no/such.pem"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("/no/such.pem");
        for (String verify : List.of("full", "ca")) {
            assertThatThrownBy(() -> FencedLocks.connect("etcds://localhost?tls-ca=pom.xml&tls-verify=" + verify))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("tls-ca");
        }
    }
}
