package io.fencedlock.compliance;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import java.time.Duration;
import java.util.Optional;

/**
 * What the suite is run against: a store, reached by as many clients as the suite asks for. Only {@link #name} and {@link #open} are needed;
 * each further method brings more rules into reach. {@link FencedLocks} is an interface, so that any lock library can be put under the
 * suite; what it cannot do throws {@link UnsupportedOperationException}, and the rule is skipped.
 */
public interface ComplianceTarget extends AutoCloseable {

    /**
     * The target's name in reports.
     *
     * @return a short name
     */
    String name();

    /**
     * Opens a client of the store. Each call gives a client of its own, as if in another process.
     *
     * @param lease the default lease time of its locks, and the session's time where there is one
     * @return the client, closed by the suite
     * @throws Exception if it cannot be opened
     */
    FencedLocks open(Duration lease) throws Exception;

    /**
     * Opens the store's fenced register, for the rules on fences.
     *
     * @return the register, closed by the suite; empty if the store has none
     */
    default Optional<FencedRegister> openRegister() {
        return Optional.empty();
    }

    /**
     * Opens the bare backend, for the rules that a client hides from its user.
     *
     * @return the backend, closed by the suite; empty if the target is not built on one
     */
    default Optional<FencedLockBackend> openBackend() {
        return Optional.empty();
    }

    /**
     * The URL that opens a client, for the rules on configuration.
     *
     * @return empty if the target is not opened by a URL
     */
    default Optional<String> url() {
        return Optional.empty();
    }

    /**
     * The hooks to break things with.
     *
     * @return the hooks
     */
    default Controls controls() {
        return Controls.NONE;
    }

    /**
     * How time passes.
     *
     * @return real time by default
     */
    default Pace pace() {
        return Pace.real();
    }

    /** Closes what the target has opened by itself. */
    @Override
    default void close() {}

    /**
     * The store that a URL names; holders are started in processes of their own, and connections are broken by a proxy in between, so that
     * nothing happens to the server.
     *
     * @param name the name in reports
     * @param url as for {@link FencedLocks#connect(String)}
     * @return the target
     */
    static ComplianceTarget of(String name, String url) {
        return of(name, url, Controls.NONE);
    }

    /**
     * The same with hooks that do need the server: restart, failover, clock, counting of entries, deletion of the counter. The hooks that
     * start holders and break connections are the target's own.
     *
     * @param name the name in reports
     * @param url as for {@link FencedLocks#connect(String)}
     * @param server the further hooks, closed with the target
     * @return the target
     */
    static ComplianceTarget of(String name, String url, Controls server) {
        return new UrlTarget(name, url, server);
    }

    /**
     * The in-memory reference with all hooks, on a clock that the suite moves.
     *
     * @return the target
     */
    static ComplianceTarget memory() {
        return new MemoryTarget();
    }
}
