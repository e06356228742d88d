package io.fencedlock.compliance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** SPEC.md, as it stands at the top of the repository and inside this jar. */
final class Spec {

    private static final String RESOURCE = "/io/fencedlock/compliance/SPEC.md";

    private final Map<String, SpecRule> rules = new LinkedHashMap<>();

    private Spec(List<String> lines) {
        String chapter = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("## ")) {
                chapter = line.substring(3);
            } else if (line.startsWith("### ")) {
                SpecRule rule = rule(line.substring(4), chapter, section(lines, i + 1));
                rules.put(rule.id(), rule);
            }
        }
    }

    static Spec load() {
        try (InputStream in = Spec.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the suite's jar lacks " + RESOURCE);
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Spec parse(String text) {
        return new Spec(text.lines().toList());
    }

    private static List<String> section(List<String> lines, int from) {
        int to = from;
        while (to < lines.size() && !lines.get(to).startsWith("#")) {
            to++;
        }
        return lines.subList(from, to);
    }

    private static SpecRule rule(String id, String chapter, List<String> section) {
        List<String> parts = new ArrayList<>();
        boolean paragraph = false;
        for (String line : section) {
            if (line.isBlank()) {
                paragraph = false;
            } else if (!paragraph || line.startsWith("- ")) {
                parts.add(line.strip());
                paragraph = true;
            } else {
                parts.set(parts.size() - 1, parts.get(parts.size() - 1) + " " + line.strip());
            }
        }
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("rule " + id + " of SPEC.md has no sentence");
        }
        return new SpecRule(
                id,
                chapter,
                parts.get(0),
                item(id, parts, "Intent"),
                item(id, parts, "If it fails"),
                item(id, parts, "Seen in"));
    }

    private static String item(String id, List<String> parts, String name) {
        String prefix = "- " + name + ": ";
        return parts.stream()
                .filter(part -> part.startsWith(prefix))
                .map(part -> part.substring(prefix.length()))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("rule " + id + " of SPEC.md has no line \"" + prefix + "\""));
    }

    Collection<SpecRule> rules() {
        return rules.values();
    }

    SpecRule rule(String id) {
        SpecRule rule = rules.get(id);
        if (rule == null) {
            throw new IllegalArgumentException("SPEC.md has no rule " + id + "; it has " + rules.keySet());
        }
        return rule;
    }
}
