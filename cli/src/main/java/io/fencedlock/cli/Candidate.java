package io.fencedlock.cli;

import io.fencedlock.FencedLocks;
import io.fencedlock.compliance.ComplianceTarget;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import io.fencedlock.verify.ServerTarget;
import java.util.Locale;

/**
 * Something to verify, which is there only while its turn lasts.
 *
 * @param arguments how it is named on the command line, without secrets
 * @param opening makes it
 */
record Candidate(String arguments, Opening opening) {

    /** Ready to be verified. */
    record Opened(ComplianceTarget target, String server) {}

    /** Starts or reaches it. */
    interface Opening {
        Opened open() throws InterruptedException;
    }

    static Candidate on(String backend, TokenSource tokens) {
        String arguments = "--on " + backend + (tokens == TokenSource.DEFAULT ? "" : " --tokens " + tokens.shown());
        String[] options = tokens.option(backend).stream()
                .map(option -> "tokens=" + option)
                .toArray(String[]::new);
        if (backend.equals("memory")) {
            return new Candidate(arguments, () -> new Opened(ComplianceTarget.memory(), "this process"));
        }
        return new Candidate(arguments, () -> {
            Store store = Store.valueOf(backend.toUpperCase(Locale.ROOT));
            Server server = Servers.start(store, ServerOptions.defaults().throwAway());
            return new Opened(ServerTarget.of(server, options), server.version() + ", " + server.origin());
        });
    }

    static Candidate at(String url, TokenSource tokens, boolean faults) {
        String scheme = url.contains(":") ? url.substring(0, url.indexOf(':')) : url;
        String place = url.replaceFirst("//[^/?]*@", "//").replaceFirst("\\?.*", "");
        String arguments = "--url " + place + (url.contains("?") ? "?…" : "")
                + (tokens == TokenSource.DEFAULT ? "" : " --tokens " + tokens.shown())
                + (faults ? " --allow-server-faults" : "");
        return new Candidate(arguments, () -> {
            String backend = reach(url);
            String option = tokens.option(backend).map(name -> "tokens=" + name).orElse("");
            String whole = option.isEmpty() ? url : url + (url.contains("?") ? "&" : "?") + option;
            String name = option.isEmpty() ? scheme : scheme + " " + option;
            return new Opened(ServerTarget.at(name, whole, faults), place);
        });
    }

    /** The backend's name; fails before any rule is run. */
    private static String reach(String url) throws InterruptedException {
        try (FencedLocks probe = FencedLocks.configure().url(url).connect()) {
            if (probe.profile().backend().equals("memory")) {
                throw CommandFailure.wrongInput("memory: cannot be shared by processes; use --on memory");
            }
            Target.patiently(() -> probe.inspect("fencedlock-verify"));
            return probe.profile().backend();
        }
    }
}
