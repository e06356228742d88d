package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** SPEC.md and the tests say the same. */
class SpecTest {

    private static final Spec SPEC = Spec.load();

    /** The tests that {@link FencedLockCompliance} runs, by rule. */
    private static Map<String, Method> tests() {
        return Arrays.stream(FencedLockCompliance.class.getDeclaredClasses())
                .filter(chapter -> chapter.isAnnotationPresent(Nested.class))
                .flatMap(chapter -> Arrays.stream(chapter.getSuperclass().getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Test.class))
                .collect(Collectors.toMap(
                        method -> method.getAnnotation(Rule.class).id(), Function.identity()));
    }

    @Test
    void everyTestNamesARule() {
        List<Method> nameless = Arrays.stream(FencedLockCompliance.class.getDeclaredClasses())
                .flatMap(chapter -> Arrays.stream(chapter.getSuperclass().getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Test.class) && !method.isAnnotationPresent(Rule.class))
                .toList();
        assertThat(nameless).isEmpty();
        assertThat(tests()).hasSizeGreaterThanOrEqualTo(45);
    }

    @Test
    void everyRuleHasATestAndEveryTestARule() {
        assertThat(tests().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        SPEC.rules().stream().map(SpecRule::id).toList());
    }

    @Test
    void theWordsAgree() {
        tests().forEach((id, test) -> {
            SpecRule rule = SPEC.rule(id);
            assertThat(test.getAnnotation(Rule.class).says()).as(id).isEqualTo(rule.text());
            assertThat(test.getName()).startsWith(rule.testPrefix());
        });
    }

    @Test
    void everyRuleIsCompleteAndSaysHowStrongItIs() {
        SPEC.rules().forEach(rule -> {
            assertThat(rule.text())
                    .as(rule.id())
                    .matches(".*\\b(MUST|SHOULD|MAY)\\b.*")
                    .endsWith(".");
            assertThat(List.of(rule.intent(), rule.look(), rule.seen()))
                    .as(rule.id())
                    .allMatch(text -> text.endsWith(".") && text.length() > 10);
        });
    }

    @Test
    void theJarCarriesTheFileOfTheRepository() throws Exception {
        Path file = Path.of("..", "SPEC.md");
        assertThat(Spec.parse(Files.readString(file)).rules()).containsExactlyElementsOf(SPEC.rules());
    }
}
