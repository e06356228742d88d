package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.OutcomeUnknownException;
import org.apache.zookeeper.KeeperException;

/** What an error of the driver says of a request: it had no effect, or it may have happened. */
final class ZkErrors {

    private ZkErrors() {}

    static FencedLockException of(String what, KeeperException error) {
        String message = what + " failed: " + error.getMessage();
        return switch (error.code()) {
            // The connection ended with the request on its way.
            case CONNECTIONLOSS,
                    OPERATIONTIMEOUT,
                    REQUESTTIMEOUT,
                    SYSTEMERROR,
                    RUNTIMEINCONSISTENCY,
                    DATAINCONSISTENCY,
                    MARSHALLINGERROR -> new OutcomeUnknownException(message, error);
            default -> new BackendUnavailableException(message, error);
        };
    }

    /** The error's code if the driver failed with it. */
    static boolean is(Throwable failure, KeeperException.Code code) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof KeeperException)) {
            cause = cause.getCause();
        }
        return cause instanceof KeeperException error && error.code() == code;
    }
}
