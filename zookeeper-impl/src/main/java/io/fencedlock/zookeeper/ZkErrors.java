package io.fencedlock.zookeeper;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.OutcomeUnknownException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** What an error of the driver says of a request: it had no effect, or it may have happened. */
final class ZkErrors {

    private ZkErrors() {}

    /** One of the library's two exceptions, whatever failed. */
    static FencedLockException of(String what, Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof FencedLockException known) {
            return known;
        }
        return cause instanceof KeeperException error
                ? of(what, error)
                : new OutcomeUnknownException(what + " failed: " + cause, cause);
    }

    private static FencedLockException of(String what, KeeperException error) {
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
            case BADVERSION ->
                new BackendUnavailableException(
                        what + " was overtaken by other writers of znode " + error.getPath()
                                + " until its time was over",
                        error);
            case NOAUTH ->
                new BackendUnavailableException(
                        what + " was refused: znode " + error.getPath()
                                + " belongs to another user; check user and password of the URL",
                        error);
            default -> new BackendUnavailableException(message, error);
        };
    }

    /** Whether a create that failed so may have happened, or happen yet. */
    static boolean leavesDoubt(Throwable failure) {
        return is(failure, Code.CONNECTIONLOSS)
                || is(failure, Code.OPERATIONTIMEOUT)
                || is(failure, Code.SESSIONEXPIRED);
    }

    /** Whether the driver failed with this error. */
    static boolean is(Throwable failure, Code code) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof KeeperException)) {
            cause = cause.getCause();
        }
        return cause instanceof KeeperException error && error.code() == code;
    }

    /** For an error that is an answer. */
    static <T> Function<Throwable, CompletionStage<T>> answer(Code code, T answer) {
        return instead(code, () -> CompletableFuture.completedFuture(answer));
    }

    /** For an error that says what to do next. */
    static <T> Function<Throwable, CompletionStage<T>> instead(Code code, Next<T> next) {
        return instead(failure -> is(failure, code), next);
    }

    /** For an error that says what to do next. */
    static <T> Function<Throwable, CompletionStage<T>> instead(Predicate<Throwable> error, Next<T> next) {
        return failure -> error.test(failure) ? next.step() : CompletableFuture.failedFuture(failure);
    }

    /** The next request. */
    interface Next<T> {
        CompletionStage<T> step();
    }
}
