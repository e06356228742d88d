package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.BackendProfile;
import io.fencedlock.FencedLockProvider;
import io.fencedlock.FencedLocks;
import io.fencedlock.Option;
import io.fencedlock.SharedOptions;
import io.fencedlock.compliance.ReportWriter;
import io.fencedlock.compliance.SpecRule;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** README and docs say what is so: snippets compile, commands exist, links lead somewhere, the options are those of the code. */
class DocsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Pattern COMMAND = Pattern.compile("(?m)\\./fencedlock ([a-z]+)");
    private static final Pattern FAULT = Pattern.compile("(?m)^\\| (FLT-\\d+: .*?) \\|");
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#]+)[^)]*\\)");

    @TempDir
    private Path classes;

    @Test
    void readme_javaCompiles() throws IOException {
        List<String> snippets = found(JAVA, readme());
        assertThat(snippets).isNotEmpty();
        for (String snippet : snippets) {
            String source = """
                    import io.fencedlock.*;
                    class Snippet {
                      interface Invoices { void markSent(long id, long token); }
                      void run(Invoices invoices) throws Exception {
                    %s
                      }
                    }
                    """.formatted(snippet);
            compile(source);
        }
    }

    private void compile(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        StringWriter said = new StringWriter();
        List<String> options =
                List.of("-d", classes.toString(), "-proc:none", "-cp", System.getProperty("java.class.path"));
        boolean compiled =
                compiler.getTask(said, null, null, options, null, List.of(file)).call();
        assertThat(compiled).as(said.toString()).isTrue();
    }

    @Test
    void readme_firstJavaStandsByLine20() throws IOException {
        assertThat(readme().lines().takeWhile(line -> !line.equals("```java")).count())
                .isLessThan(20);
    }

    @Test
    void commands_exist() throws IOException {
        List<String> commands = found(COMMAND, readme());
        assertThat(commands).contains("replay");
        assertThat(Main.commandLine().getSubcommands().keySet()).containsAll(commands);
    }

    @Test
    void links_leadSomewhere() throws IOException {
        for (String link : found(LINK, readme())) {
            assertThat(ROOT.resolve(link)).exists();
        }
    }

    @Test
    void configuration_hasTheOptionsOfTheCode() throws IOException {
        Path page = ROOT.resolve("docs/configuration.md");
        String written = Files.readString(page);
        String generated = options();
        Files.writeString(Path.of("target/options.md"), generated);
        assertThat(written)
                .as("the tables of docs/configuration.md are made from the code: copy cli/target/options.md into it")
                .contains(generated);
    }

    @Test
    void backends_hasTheProfilesAndRulesOfTheCode() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/backends.md"));
        Map<String, BackendProfile> profiles = new LinkedHashMap<>();
        for (String backend : List.of("redis", "zookeeper", "etcd")) {
            profiles.put(backend, profile(backend + "://127.0.0.1:1?lease=2s"));
            String tokens = "tokens=" + TokenSource.TEXTBOOK.option(backend).orElseThrow();
            profiles.put(backend + " " + tokens, profile(backend + "://127.0.0.1:1?lease=2s&" + tokens));
        }
        String promises = ReportWriter.promises(profiles);
        Files.writeString(Path.of("target/promises.md"), promises);
        assertThat(page)
                .as(
                        "docs/backends.md is made by the suite, its first lines say how; what it says of profiles alone is in"
                                + " cli/target/promises.md")
                .contains(promises);
        List<String> faults = SpecRule.all().stream()
                .filter(rule -> rule.id().startsWith("FLT-"))
                .map(rule -> rule.id() + ": " + rule.text())
                .toList();
        assertThat(found(FAULT, page)).isEqualTo(faults);
    }

    /** Asks no server. */
    private static BackendProfile profile(String url) {
        try (FencedLocks locks = FencedLocks.connect(url)) {
            return locks.profile();
        }
    }

    private static String options() {
        StringBuilder text = new StringBuilder();
        table(text, "All backends", SharedOptions.ALL);
        ServiceLoader.load(FencedLockProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(FencedLockProvider::name))
                .filter(provider -> !provider.options().isEmpty())
                .forEach(provider -> table(text, provider.name(), provider.options()));
        return text.toString();
    }

    private static void table(StringBuilder text, String title, List<Option<?>> options) {
        text.append("## ").append(title).append("\n\n| option | takes | default | |\n|---|---|---|---|\n");
        for (Option<?> option : options) {
            String standard = option.defaultText() == null ? "" : "`" + option.defaultText() + "`";
            text.append("| `")
                    .append(option.name())
                    .append("` | ")
                    .append(option.type())
                    .append(" | ")
                    .append(standard)
                    .append(" | ")
                    .append(option.doc())
                    .append(" |\n");
        }
        text.append('\n');
    }

    private static String readme() throws IOException {
        return Files.readString(ROOT.resolve("README.md"));
    }

    private static List<String> found(Pattern pattern, String text) {
        List<String> all = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            all.add(matcher.group(1));
        }
        return all;
    }
}
