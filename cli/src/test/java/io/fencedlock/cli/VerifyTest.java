package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FencedLocks;
import io.fencedlock.servers.Cluster;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.servers.Topology;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code verify}: verdicts, exit codes and reports; what each store does under the suite is the business of its own module. */
class VerifyTest {

    private static final int PARTIAL = 3;

    @TempDir
    private Path folder;

    private record Said(int exitCode, String out, String err) {
        List<String> lines() {
            return out.lines().filter(line -> !line.isBlank()).toList();
        }

        Map<String, Object> last() {
            return Json.parse(lines().get(lines().size() - 1));
        }
    }

    private static Said verify(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] all = new String[arguments.length + 1];
        all[0] = "verify";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        int exitCode = command.execute(all);
        return new Said(exitCode, out.toString(), err.toString());
    }

    @Test
    void memory_passesWithReports() throws Exception {
        Said said = verify("--on", "memory", "--json", "--seed", "7", "--report", folder.toString());

        assertThat(said.exitCode()).as(said.out() + said.err()).isZero();
        assertThat(said.lines().get(0)).startsWith("{\"event\":\"begin\",\"backend\":\"memory\"");
        assertThat(said.last())
                .containsEntry("event", "summary")
                .containsEntry("backend", "memory")
                .containsEntry("failed", 0L)
                .containsEntry("notRun", 0L)
                .containsEntry("seed", 7L)
                .containsEntry("verdict", "pass");
        long rules = (Long) said.last().get("rules");
        assertThat(said.lines()).hasSize((int) rules + 2);
        assertThat(folder.resolve("TEST-compliance-memory.xml")).exists();
        assertThat(Files.readString(folder.resolve("compliance.json"))).startsWith("{\"schema\":1");
        assertThat(Files.readString(folder.resolve("compliance.html")))
                .contains("./fencedlock verify --on memory --profile quick --seed 7");
    }

    @Test
    void someRules_areNoVerdict() {
        Said said = verify("--on", "memory", "--rules", "tok,FEN-1");

        assertThat(said.exitCode()).as(said.err()).isEqualTo(PARTIAL);
        assertThat(said.out())
                .contains("memory: partial (", "FEN-1   passed", "FEN-2   not run")
                .containsPattern("TOK-9 +passed +\\d+ ms");
    }

    @Tag("full")
    @Test
    void throwAwayRedis_isHarmedAndTextbookTokensDeviate() {
        Said said = verify("--on", "redis", "--tokens", "both", "--rules", "TOK-6,TOK-7,FLT-9,CLI-2");

        assertThat(said.exitCode()).as(said.out() + said.err()).isEqualTo(PARTIAL);
        assertThat(said.out())
                .containsPattern("rule +redis +redis tokens=counter")
                .containsPattern("TOK-6 +passed +deviation")
                .containsPattern("TOK-7 +passed +passed")
                .containsPattern("FLT-9 +passed +deviation")
                .containsPattern("CLI-2 +passed +passed");
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"redis-sentinel", "redis-cluster", "zookeeper-3", "etcd-3"})
    void throwAwayCluster_failsOver(String cluster) {
        Said said = verify("--on", cluster, "--rules", "FLT-3,FLT-10,CLI-2");

        assertThat(said.exitCode()).as(said.out() + said.err()).isEqualTo(PARTIAL);
        assertThat(said.out()).contains("FLT-3   passed", "FLT-10  passed", "CLI-2   passed");
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(names = {"REDIS_SENTINEL", "ZOOKEEPER_3"})
    void usersCluster_isSeenOrToldWhyNot(Topology topology) {
        try (Cluster cluster = Cluster.start(topology)) {
            Said said = verify("--url", cluster.url(), "--rules", "FLT-10,FLT-12,CLI-2", "--allow-server-faults");
            assertThat(said.out()).contains("FLT-10  not run");
            if (topology == Topology.REDIS_SENTINEL) {
                assertThat(said.out()).contains("CLI-2   not run", "not through Sentinels or a Redis Cluster");
            } else {
                assertThat(said.out()).contains("FLT-12  passed", "CLI-2   passed");
            }
        }
    }

    @Test
    void usersServer_isHarmedOnlyWhenAllowed() {
        try (Server redis = Servers.start(Store.REDIS, ServerOptions.defaults().throwAway());
                FencedLocks user = FencedLocks.connect(redis.url())) {
            user.get("of-the-user").tryAcquireAsync().toCompletableFuture().join();
            Set<String> before = redis.contents().keys();
            String rules = "TOK-2,FLT-8,FLT-12,CLI-2";

            Said careful = verify("--url", redis.url(), "--rules", rules);
            assertThat(careful.exitCode()).as(careful.out() + careful.err()).isEqualTo(PARTIAL);
            assertThat(careful.out())
                    .contains("TOK-2   passed", "FLT-8   not run", "FLT-12  not run", "CLI-2   not run");
            assertThat(redis.contents().keys()).containsAll(before);

            Said allowed = verify("--url", redis.url(), "--rules", rules, "--allow-server-faults");
            assertThat(allowed.out()).contains("TOK-2   passed", "FLT-8   not run", "FLT-12  passed", "CLI-2   passed");
        }
    }

    @Test
    void aServerThatIsNotThereIsExitCode69() {
        Said said = verify("--url", "redis://127.0.0.1:1", "--json");

        assertThat(said.exitCode()).isEqualTo(Exit.UNREACHABLE);
        assertThat(said.err()).contains("127.0.0.1").doesNotContain("\tat ");
    }
}
