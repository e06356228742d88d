package io.fencedlock.compliance;

import io.fencedlock.FencedLocks;
import io.fencedlock.LockConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

abstract class ConfigurationRules {

    private static String refused(Bench bench, String what, Configured configured) {
        return String.valueOf(
                bench.expectThrown(what, () -> bench.keep(bench.open(configured)), LockConfigurationException.class)
                        .getMessage());
    }

    private static Duration lease(Bench bench, Configured configured) {
        return bench.call("opening a client", () -> {
            try (FencedLocks client = bench.open(configured)) {
                return client.options().lease();
            }
        });
    }

    @Test
    @Rule(id = "CFG-1", says = "An unknown option MUST be refused with the nearest known name.")
    void cfg1_unknownOptionIsRefused(Bench bench) {
        String url = Urls.with(bench.url(), "leese=10s");
        String message = refused(bench, "an unknown option", Configured.by(url));
        bench.expect(message.contains("leese"), "the refusal does not name the unknown option: " + message);
        bench.expect(
                message.replace("leese", "").contains("lease"),
                "the refusal does not name the nearest option: " + message);
    }

    @Test
    @Rule(
            id = "CFG-2",
            says = "An option set by call MUST win over the URL, the URL over properties, properties over the "
                    + "environment.")
    void cfg2_orderOfSources(Bench bench) {
        String plain = Urls.with(bench.url(), "renewal=true");
        String url = plain.contains("lease=") ? Urls.with(plain, "lease=23s") : plain;
        Map<String, String> environment = Map.of("FENCEDLOCK_LEASE", "21s");
        Map<String, String> properties = Map.of("fencedlock.lease", "22s");
        Configured configured = Configured.by(url).withEnvironment(environment);
        if (url.equals(plain)) {
            bench.expect(lease(bench, configured).equals(Duration.ofSeconds(21)), "the environment was not read");
            bench.expect(
                    lease(bench, configured.withProperties(properties)).equals(Duration.ofSeconds(22)),
                    "properties do not win over the environment");
        }
        Configured all = configured.withProperties(properties).withUrl(Urls.with(url, "lease=23s"));
        bench.expect(
                lease(bench, all).equals(Duration.ofSeconds(23)),
                "the URL does not win over properties and environment");
        bench.expect(
                lease(bench, all.withOption("lease", "24s")).equals(Duration.ofSeconds(24)),
                "a call does not win over the URL");
    }

    @Test
    @Rule(
            id = "CFG-3",
            says = "A value of the wrong type MUST be refused with the option's name, what is allowed and what was "
                    + "found.")
    void cfg3_wrongValueIsNamed(Bench bench) {
        String url = bench.url();
        String message =
                refused(bench, "a lease of \"ten seconds\"", Configured.by(url).withOption("lease", "ten seconds"));
        for (String part : List.of("lease", "10s", "ten seconds")) {
            bench.expect(
                    message.contains(part),
                    "the refusal of lease=\"ten seconds\" says nothing of " + part + ": " + message);
        }
    }

    @Test
    @Rule(id = "CFG-4", says = "A secret MUST NOT appear in any message or text form.")
    void cfg4_secretsStaySecret(Bench bench) {
        String canary = "cAnArY-4711";
        String hosts = Urls.hosts(bench.url());
        String scheme = Urls.scheme(bench.url());
        List<String> broken = List.of(
                scheme + "://user:" + canary + "@" + hosts + "?leese=1s",
                scheme + "://user:" + canary + "@" + hosts + "?lease=x",
                scheme + "://user:" + canary + "@" + hosts + ":x:y",
                "nosuch" + scheme + "://user:" + canary + "@host:1");
        for (String url : broken) {
            String message = refused(bench, "a broken URL with a password", Configured.by(url));
            bench.expect(
                    !message.contains(canary),
                    "the password is in the message: " + message.replace(canary, "<the password>"));
        }
    }

    @Test
    @Rule(id = "CFG-5", says = "An unknown scheme MUST be refused with the schemes that were found.")
    void cfg5_unknownSchemeListsWhatIsFound(Bench bench) {
        String scheme = Urls.scheme(bench.url());
        String message = refused(bench, "an unknown scheme", Configured.by("nosuch://localhost:1"));
        bench.expect(
                message.contains("nosuch") && message.contains(scheme),
                "the refusal does not list " + scheme + ": " + message);
    }

    @Test
    @Rule(id = "CFG-6", says = "A configuration MUST give the same client as URL and as properties.")
    void cfg6_propertiesEqualUrl(Bench bench) {
        String url = Urls.with(bench.url(), "lease=31s");
        Map<String, String> properties =
                Map.of("fencedlock.url", bench.url(), "fencedlock.lease", "31s", "other.entry", "ignored");
        bench.call("opening two clients", () -> {
            try (FencedLocks fromUrl = bench.open(Configured.by(url));
                    FencedLocks fromProperties = bench.open(Configured.NOTHING.withProperties(properties))) {
                bench.expect(
                        fromUrl.options().equals(fromProperties.options())
                                && fromUrl.profile()
                                        .backend()
                                        .equals(fromProperties.profile().backend()),
                        "the URL gives " + fromUrl.options() + ", the properties give " + fromProperties.options());
            }
            return true;
        });
    }
}
