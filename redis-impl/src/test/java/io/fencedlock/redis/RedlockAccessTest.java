package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.acquire;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLocks;
import io.fencedlock.Lease;
import io.fencedlock.Release;
import io.fencedlock.servers.Certificates;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** TLS, login and rights on the nodes of a Redlock. */
class RedlockAccessTest {

    private static final String RIGHTS = " +hmget +hset";

    private static Certificates certificates;
    private static List<Server> nodes;
    private static List<Kit.Admin> admins;
    private static String aclLine;

    @BeforeAll
    static void start() throws IOException {
        certificates = Certificates.make();
        nodes = Stream.generate(() ->
                        Servers.start(Store.REDIS, ServerOptions.defaults().tls(certificates)))
                .limit(3)
                .toList();
        admins = nodes.stream().map(node -> new Kit.Admin(node.url())).toList();
        aclLine = RedisAccessTest.aclLineOfTheDocumentation();
    }

    @AfterAll
    static void stop() {
        admins.forEach(Kit.Admin::close);
        nodes.forEach(Server::close);
    }

    @BeforeEach
    void empty() {
        admins.forEach(admin -> admin.redis().flushall());
    }

    private static void rights(String rules) {
        admins.forEach(admin -> RedisAccessTest.acl(admin, rules));
    }

    private static String url(String password, String options) {
        return nodes.stream()
                .map(node -> node.tlsUrl().replaceFirst("^rediss://", ""))
                .collect(Collectors.joining(",", "redlocks://locks:" + password + "@", "?" + options));
    }

    private static String trusting() {
        return "tls-ca=" + certificates.file("ca.crt");
    }

    @Test
    void aclLineOfTheDocumentationIsEnough_overTls() throws Exception {
        rights(aclLine + RIGHTS);
        try (FencedLocks locks = FencedLocks.connect(url("password", trusting()))) {
            Lease first = locks.get("a").acquire();
            CompletableFuture<Lease> waiter = locks.get("a").acquireAsync();
            first.renew();
            assertThat(locks.inspect("a").orElseThrow().token()).isEqualTo(first.token());
            first.close();
            Lease second = waiter.get(20, TimeUnit.SECONDS);
            long floor = second.token() + 1_000_000_000_000L;
            locks.raiseTokens(floor);
            assertThat(locks.forceRelease("a", second.token())).isEqualTo(Release.RELEASED);
            try (Lease third = locks.get("a").acquire()) {
                assertThat(third.token()).isGreaterThan(floor);
            }
        }
    }

    @Test
    void missingRightIsNamed() throws Exception {
        rights(aclLine + " -hmget -hset");
        try (Kit.Opened opened = Kit.open(url("password", trusting()))) {
            assertThatThrownBy(() -> acquire(opened.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("lacks a right");
        }
    }

    @Test
    void wrongPasswordAndUnknownAuthorityAreTold() throws Exception {
        rights(aclLine + RIGHTS);
        try (Kit.Opened wrong = Kit.open(url("s3cr3t-guess", trusting()));
                Kit.Opened distrusting = Kit.open(url("password", "tls-verify=full"))) {
            assertThatThrownBy(() -> acquire(wrong.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("login was refused")
                    .satisfies(e -> assertThat(RedisAccessTest.stackTrace(e)).doesNotContain("s3cr3t"));
            assertThatThrownBy(() -> acquire(distrusting.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("certif");
        }
    }
}
