package io.fencedlock;

import java.time.Duration;
import java.util.List;

/** The options that every backend takes. */
public final class SharedOptions {

    /** The lease time of locks that set none of their own, and the session's time where a session keeps entries alive. */
    public static final Option<Duration> LEASE =
            Option.duration("lease", "15s", "Lease time; also the time of the backend's session where it has one.");

    /** The longest time that one request to the store may take. */
    public static final Option<Duration> COMMAND_TIMEOUT =
            Option.duration("command-timeout", null, "Longest time of one request; default: lease/3, at most 1s.");

    /** Whether leases are renewed by the library. */
    public static final Option<Boolean> RENEWAL =
            Option.flag("renewal", "true", "Whether the library renews leases until they are released.");

    /** The longest time to hold a lock. */
    public static final Option<Duration> MAX_HOLD =
            Option.duration("max-hold", null, "Longest time to hold a lock; then it is given back and told as lost.");

    /** The user to log in as; in a URL it stands before the host. */
    public static final Option<String> USER = Option.text("user", null, "User to log in as.");

    /** The password to log in with; in a URL it stands before the host. */
    public static final Option<Secret> PASSWORD = Option.secret("password", "Password to log in with; never printed.");

    /** All of them. */
    public static final List<Option<?>> ALL = List.of(LEASE, COMMAND_TIMEOUT, RENEWAL, MAX_HOLD, USER, PASSWORD);

    private SharedOptions() {}
}
