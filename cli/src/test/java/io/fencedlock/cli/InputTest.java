package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What does not need a server: help, wrong input, JSON. */
class InputTest {
    /** A build as the README has it makes jars of the modules below this one first, and jars know their version. */
    @Test
    void theVersionIsTold() {
        assertThat(Cli.say("--version").out()).matches("fencedlock \\d+\\.\\d+\\.\\d+\\S*\\R");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | a command is missing",
                "replay | a scenario is missing",
                "replay nonsense | no scenario \"nonsense\"; there are all, lease-expiry",
                "replay redlock --on memory | cannot be played on memory",
                "replay lease-expiry --on memory --fencing on | is played with fencing off only",
                "replay stale-write-cut-off --on memory | cannot be played on memory",
                "replay stale-write --on oracle | found \"oracle\"",
                "replay stale-write --fencing maybe | --fencing",
                "replay stale-write --scale 0.4 | from 0.5 to 60, found 0.4",
                "replay stale-write --scale NaN | found NaN",
                "replay stale-write --scale fast | --scale",
                "replay stale-write --on memory --html /nowhere/page.html | cannot write /nowhere/page.html",
                "replay stale-write --url nonsense:// | nonsense",
                "replay stale-write --url memory: | use --on memory",
                "verify | either --on or --url",
                "verify --on redis --url redis://127.0.0.1:1 | either --on or --url",
                "verify --on oracle | found \"oracle\"",
                "verify --on memory --rules TOKEN | found \"TOKEN\"",
                "verify --on memory --profile fast | --profile",
                "verify --on memory --multiplier 0 | positive",
                "verify --on memory --known nowhere/file | nowhere/file",
                "verify --on memory --report pom.xml | found pom.xml",
                "verify --on memory --tokens textbook | no textbook tokens are known for memory",
                "verify --url memory: | use --on memory",
                "inspect --url memory: --name a | inside one process",
                "inspect --name a | Missing required option: '--url=URL'",
                "run --url memory: --name a -- true | inside one process",
                "run --url memory: --name a | Missing required parameter",
                "run --url redis://127.0.0.1:1 --name a --wait soon -- true | found \"soon\"",
                "run --url redis://127.0.0.1:1 --name a --lease 3s --kill-after 2s -- true | at most a third of the lease time of 3 s",
                "release --url redis://127.0.0.1:1 --name a --token 0 | positive",
                "release --url redis://127.0.0.1:1 --name a --token x | --token",
                "tokens | raise",
                "tokens raise --url redis://127.0.0.1:1 --to -1 | positive",
                "fence | list, raise, remove or expire",
                "fence list --url memory: | inside one process",
                "fence raise --url redis://127.0.0.1:1 --resource r --to 0 | positive",
                "fence remove --url redis://127.0.0.1:1 | --resource",
                "fence expire --url redis://127.0.0.1:1 --unused-for soon | found \"soon\"",
                "inspect --url redis://127.0.0.1:1?leese=3s --name a | leese",
                "torture --on oracle | found \"oracle\"",
                "torture --url memory: | cannot be shared by processes",
                "torture --url redis://127.0.0.1:1 --faults earthquake | no fault is called \"earthquake\"",
                "torture --url redis://127.0.0.1:1 --faults kill-server | the fault kill-server cannot be caused on redis://127.0.0.1:1",
                "torture --url redis://127.0.0.1:1 --workers 1 | at least 2 workers",
                "torture --url redis://127.0.0.1:1 --minutes 0 | positive",
                "succession --on redis | --on takes redis-sentinel, redis-cluster, etcd-3, zookeeper-3, found \"redis\"",
                "succession --on etcd-3,oracle | found \"oracle\"",
                "succession --tries 0 | at least one try is needed, found 0",
                "torture --resume | --resume needs --report"
            })
    void wrongInputIsOneSentenceOnStandardErrorAndExitCode2(String line, String sentence) {
        Cli.Ended said = Cli.say(line);

        assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err().strip().lines())
                .singleElement()
                .asString()
                .startsWith("fencedlock: ")
                .contains(sentence);
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : new String[] {
            "",
            "replay ",
            "verify ",
            "run ",
            "inspect ",
            "release ",
            "tokens ",
            "tokens raise ",
            "fence ",
            "fence expire "
        }) {
            Cli.Ended said = Cli.say(command + "--help");
            assertThat(said.exitCode()).isZero();
            assertThat(said.out()).contains("Usage: fencedlock").contains("--help");
        }
        assertThat(Cli.say("run --help").out())
                .contains("SIGKILL")
                .contains("75")
                .contains("--kill-after");
    }

    @Test
    void anUnreachableBackendIsExitCode69AndSaysWhere() {
        Cli.Ended said = Cli.say("inspect --url redis://127.0.0.1:1 --name a");

        assertThat(said.exitCode()).isEqualTo(69);
        assertThat(said.err()).contains("127.0.0.1").doesNotContain("\tat ");
    }

    @Test
    void memoryIsReplayedWithTheArticlesNumbers() {
        Cli.Ended said = Cli.say("replay stale-write --on memory --tokens textbook --json");

        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out().lines().filter(line -> line.contains("\"verdict\"")))
                .containsExactly(
                        "{\"event\":\"verdict\",\"scenario\":\"stale-write\",\"backend\":\"memory\",\"fencing\":false,\"tokens\":\"textbook\","
                                + "\"staleWriteRefused\":false,\"staleToken\":1,\"acceptedToken\":2,\"finalWriter\":\"worker-A\",\"asExpected\":true}",
                        "{\"event\":\"verdict\",\"scenario\":\"stale-write\",\"backend\":\"memory\",\"fencing\":true,\"tokens\":\"textbook\","
                                + "\"staleWriteRefused\":true,\"staleToken\":1,\"acceptedToken\":2,\"finalWriter\":\"worker-B\",\"asExpected\":true}");
    }

    @Test
    void theScaleMultipliesTheTimesOfTheArticle() {
        assertThat(Cli.say("replay stale-write --on memory --scale 2.5").out()).contains("acquired the lock for 2.5 s");
        assertThat(Cli.say("replay --help").out()).contains("--scale").contains("from 0.5 to 60");
    }

    @Test
    void jsonComesBackAsItWas() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("text", "a \"quoted\" \\ line\n with \u0001 and ü and 😀");
        fields.put("largest", Long.MAX_VALUE);
        fields.put("yes", true);
        fields.put("nothing", null);

        assertThat(Json.parse(Json.object(fields))).isEqualTo(fields);
    }
}
