package io.fencedlock.compliance;

import io.fencedlock.LockConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Configurations that are read wrong. */
final class ConfigurationMutants {

    private ConfigurationMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.opener("CLI-3", "a wrong value is left out in silence", "own list", configured -> {
                    try {
                        return configured.open();
                    } catch (LockConfigurationException e) {
                        return Configured.by("memory:").open();
                    }
                }),
                Mutant.opener(
                        "CFG-1",
                        "unknown options are left out",
                        "Redisson's YAML",
                        configured -> configured
                                .withUrl(
                                        configured.url() == null
                                                ? null
                                                : configured.url().replaceAll("[?&]leese=[^&]*", ""))
                                .open()),
                Mutant.opener("CFG-2", "the URL wins over the call", "own list", configured -> {
                    boolean said = query(configured).contains("lease=");
                    Map<String, String> less = new HashMap<>(configured.options());
                    less.keySet().removeIf(name -> said && name.equals("lease"));
                    return new Configured(configured.url(), less, configured.properties(), configured.environment())
                            .open();
                }),
                Mutant.opener("CFG-3", "a refusal does not say what is allowed", "own list", configured -> {
                    try {
                        return configured.open();
                    } catch (LockConfigurationException e) {
                        throw new LockConfigurationException("wrong value of option lease", e);
                    }
                }),
                Mutant.opener("CFG-4", "the refused URL is quoted", "r2dbc-spi#286", configured -> {
                    try {
                        return configured.open();
                    } catch (LockConfigurationException e) {
                        throw new LockConfigurationException(e.getMessage() + " in " + configured.url(), e);
                    }
                }),
                Mutant.opener("CFG-5", "an unknown scheme locks nothing", "SLF4J 1.x", configured -> {
                    boolean unknown =
                            configured.url() != null && configured.url().startsWith("nosuch:");
                    return (unknown ? configured.withUrl("memory:") : configured).open();
                }),
                Mutant.opener("CFG-6", "properties know the URL alone", "own list", configured -> {
                    String url = configured.properties().get("fencedlock.url");
                    return (url == null ? configured : configured.withProperties(Map.of("fencedlock.url", url))).open();
                }));
    }

    private static String query(Configured configured) {
        return Optional.ofNullable(configured.url())
                .filter(url -> url.contains("?"))
                .map(url -> url.substring(url.indexOf('?') + 1))
                .orElse("");
    }
}
