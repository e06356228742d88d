package io.fencedlock.redis;

import static io.fencedlock.redis.Kit.LEASE;
import static io.fencedlock.redis.Kit.acquire;
import static io.fencedlock.redis.Kit.askWaiting;
import static io.fencedlock.redis.Kit.get;
import static io.fencedlock.redis.Kit.granted;
import static io.fencedlock.redis.Kit.held;
import static io.fencedlock.redis.Kit.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.Attempt;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Fence;
import io.fencedlock.FenceMark;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.LockName;
import io.fencedlock.MarkInfo;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.Release;
import io.fencedlock.servers.Certificates;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logins, rights, databases, TLS, and wrong configuration. */
class RedisAccessTest {

    private static Certificates certificates;
    private static Server server;
    private static Kit.Admin admin;
    private static String aclLine;

    @BeforeAll
    static void start() throws IOException {
        certificates = Certificates.make();
        server = Servers.start(Store.REDIS, ServerOptions.defaults().tls(certificates));
        admin = new Kit.Admin(server.url());
        aclLine = aclLineOfTheDocumentation();
    }

    @AfterAll
    static void stop() {
        admin.close();
        server.close();
    }

    @BeforeEach
    void empty() {
        admin.redis().flushall();
    }

    /** The line that users copy: what the documentation says is what is tested. */
    static String aclLineOfTheDocumentation() throws IOException {
        String source = Files.readString(Path.of("src/main/java/io/fencedlock/redis/RedisProvider.java"));
        int start = source.indexOf("ACL SETUSER");
        return source.substring(start, source.indexOf("}</pre>", start))
                .replace(" * ", " ")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static void acl(String rules) {
        acl(admin, rules);
    }

    static void acl(Kit.Admin admin, String rules) {
        String[] words = rules.split(" ");
        admin.redis()
                .dispatch(
                        io.lettuce.core.protocol.CommandType.ACL,
                        new io.lettuce.core.output.StatusOutput<>(io.lettuce.core.codec.StringCodec.UTF8),
                        new io.lettuce.core.protocol.CommandArgs<>(io.lettuce.core.codec.StringCodec.UTF8)
                                .addValues(Arrays.asList(words).subList(1, words.length)));
    }

    private static String as(String user, String password) {
        return server.url().replace("redis://", "redis://" + user + ":" + password + "@");
    }

    @Test
    void aclLineOfTheDocumentationIsEnough() throws Exception {
        acl(aclLine);
        try (Kit.Opened opened = Kit.open(as("locks", "password"))) {
            cycle(opened, "a");
            Grant first = acquire(opened.backend(), "a");
            HolderId waiter = HolderId.random();
            Attempt.Held held = queue(opened.backend(), "a", waiter, LEASE);
            get(opened.backend().renew(first));
            get(opened.backend().release(first));
            get(held.changed());
            granted(get(opened.backend().acquire(askWaiting("a", waiter, LEASE))));
            get(opened.backend().abandon(new LockName("a"), waiter));
            get(opened.backend().raiseTokens(7));
            assertThat(get(opened.backend().inspect(new LockName("a")))).isEmpty();
        }
        acl(aclLine + " +scan +select");
        try (FencedRegister register = FencedRegister.connect(as("locks", "password") + "/3");
                Fence fence = Fence.connect(as("locks", "password") + "/3")) {
            register.write("r", new FenceMark(5, HolderId.random()), "x");
            assertThat(register.read("r")).hasValue("x");
            assertThat(fence.raise("r", 6).token()).isEqualTo(6);
            assertThat(fence.expire(Duration.ofDays(1))).isZero();
            List<MarkInfo> marks = new ArrayList<>();
            fence.forEachMark(marks::add);
            assertThat(marks).hasSize(1);
            register.remove("r");
        }
    }

    @Test
    void withoutChannelRightsAWaiterStillGetsTheLock() throws Exception {
        acl(aclLine + " resetchannels -publish");
        try (FencedLocks locks = FencedLocks.connect(as("locks", "password"))) {
            var lease = locks.get("a").acquire();
            var waiter = locks.get("a").acquireAsync();
            Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> !waiter.isDone());
            lease.release();

            waiter.get(10, java.util.concurrent.TimeUnit.SECONDS).close();
        }
    }

    @Test
    void lockOfAWaiterThatCannotBeToldIsFreeAtOnce() throws Exception {
        try (Kit.Opened listener = Kit.open(server.url())) {
            acl(aclLine + " resetchannels");
            try (Kit.Opened mute = Kit.open(as("locks", "password"))) {
                Grant first = acquire(mute.backend(), "a");
                HolderId waiter = HolderId.random();
                queue(listener.backend(), "a", waiter, LEASE);
                assertThat(get(mute.backend().release(first))).isEqualTo(Release.RELEASED);

                assertThat(get(mute.backend().inspect(new LockName("a")))).isEmpty();
                granted(get(listener.backend().acquire(askWaiting("a", waiter, LEASE))));
            }
        }
    }

    @Test
    void missingRightIsNamed() throws Exception {
        acl(aclLine + " -eval -evalsha");
        try (Kit.Opened opened = Kit.open(as("locks", "password"))) {
            assertThatThrownBy(() -> acquire(opened.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("lacks a right")
                    .hasMessageContaining("eval");
        }
    }

    @Test
    void wrongPasswordIsToldWithoutPrintingIt() throws Exception {
        acl(aclLine);
        try (Kit.Opened opened = Kit.open(as("locks", "s3cr3t-guess"))) {
            assertThatThrownBy(() -> acquire(opened.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("login was refused")
                    .hasMessageContaining("127.0.0.1")
                    .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("s3cr3t"));
        }
    }

    static String stackTrace(Throwable e) {
        java.io.StringWriter text = new java.io.StringWriter();
        e.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    @Test
    void missingPasswordIsTold() throws Exception {
        acl("ACL SETUSER default >pass resetpass >pass");
        try (Kit.Opened opened = Kit.open(server.url());
                Kit.Opened known = Kit.open(server.url() + "?password=pass")) {
            assertThatThrownBy(() -> acquire(opened.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("wants a password");
            cycle(known, "a");
        } finally {
            acl("ACL SETUSER default nopass");
        }
    }

    @Test
    void databaseOfThePathIsUsed() throws Exception {
        try (Kit.Opened opened = Kit.open(server.url() + "/5")) {
            acquire(opened.backend(), "a");
            assertThat(admin.redis().dbsize()).isZero();
            admin.redis().select(5);
            assertThat(admin.redis().keys("*lock:a")).hasSize(1);
        } finally {
            admin.redis().select(0);
        }
    }

    @Test
    void tls_trustsTheAuthorityGiven() throws Exception {
        try (Kit.Opened opened = Kit.open(server.tlsUrl() + "?tls-ca=" + certificates.file("ca.crt"))) {
            cycle(opened, "a");
            Grant first = acquire(opened.backend(), "a");
            HolderId waiter = HolderId.random();
            Attempt.Held held = queue(opened.backend(), "a", waiter, LEASE);
            get(opened.backend().release(first));
            get(held.changed());
        }
        try (Kit.Opened opened = Kit.open(server.tlsUrl() + "?tls-verify=none")) {
            cycle(opened, "b");
        }
    }

    @Test
    void tls_refusesAnUnknownAuthority() throws Exception {
        try (Kit.Opened opened = Kit.open(server.tlsUrl())) {
            assertThatThrownBy(() -> acquire(opened.backend(), "a"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("certif");
        }
    }

    @Test
    void tls_showsTheCertificateGiven() throws Exception {
        String trusting = server.tlsUrl() + "?tls-ca=" + certificates.file("ca.crt");
        String known = "&tls-cert=" + certificates.file("client.crt") + "&tls-key=" + certificates.file("client.key");
        admin.redis().configSet("tls-auth-clients", "yes");
        try (Kit.Opened opened = Kit.open(trusting + known);
                Kit.Opened nameless = Kit.open(trusting)) {
            cycle(opened, "a");
            assertThatThrownBy(() -> acquire(nameless.backend(), "a"))
                    .isInstanceOfAny(BackendUnavailableException.class, OutcomeUnknownException.class);
        } finally {
            admin.redis().configSet("tls-auth-clients", "no");
        }
    }

    private static void cycle(Kit.Opened opened, String name) throws Exception {
        assertThat(get(opened.backend().release(acquire(opened.backend(), name))))
                .isEqualTo(Release.RELEASED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://h:1,h:2 | names one host:port",
                "redis://h/x | option database takes whole number",
                "redis://h/1?database=2 | found 1 and 2",
                "redis-cluster://h/1 | database 0 only, found \"1\"",
                "redis-cluster://h?database=3 | database 0 only",
                "redis-sentinel://h | ends with the name of the primary",
                "redis://h?prefix={x} | option prefix takes",
                "redis://h?tls-ca=/x | needs a TLS scheme",
                "rediss://h?tls-ca=/does/not/exist | names a readable file",
                "rediss://h?tls-verify=some | full, ca, none",
                "rediss://h?tls-key=pom.xml | given together",
                "redis://u@h | option user needs option password",
                "redis://h?tokens=random | clock, counter",
                "redis://h?prefixx=a | did you mean prefix",
            })
    void cli3_wrongConfigurationFailsAtOnce(String url, String message) {
        assertThatThrownBy(() -> FencedLocks.connect(url))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(message);
    }

    @Test
    void closingLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Set<Thread> during;
        try (Kit.Opened opened = Kit.open(server.url())) {
            acquire(opened.backend(), "a");
            held(get(opened.backend().acquire(askWaiting("a", HolderId.random(), LEASE))));
            during = new HashSet<>(Thread.getAllStackTraces().keySet());
        }
        during.removeAll(before);

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(during)
                        .filteredOn(Thread::isAlive)
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("lettuce-nio") || name.startsWith("fencedlock-clock")));
    }
}
