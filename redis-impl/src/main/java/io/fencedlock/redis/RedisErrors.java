package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.OutcomeUnknownException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionSelectorException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Tells what an error of the driver means: had no effect, or may have happened.
 *
 * <p>An error <em>reply</em> means that the script had no effect: Redis refuses it as a whole (NOSCRIPT, LOADING, CLUSTERDOWN, MOVED, TRYAGAIN,
 * BUSY, NOAUTH), or at its first write (READONLY, OOM, NOREPLICAS, MISCONF, NOPERM). A command without a reply may have run.
 */
final class RedisErrors {

    /** What Lettuce says of a command that it has not sent. */
    private static final List<String> NOT_SENT = List.of(
            "Currently not connected",
            "Request queue size exceeded",
            "Command buffer size exceeded",
            "Connection is closed");

    /** Of a command, a key or a channel: scripts fail with a code of their own. */
    private static final String NO_RIGHT_IN_SCRIPT = "ERR The user executing the script can't";

    private static final Map<String, String> MEANINGS = Map.of(
            "WRONGPASS", "the login was refused, check user and password",
            "NOAUTH", "the server wants a password and none was given",
            "NOPERM", "the user lacks a right, see the ACL line in the documentation",
            "READONLY", "the server is a replica",
            "LOADING", "the server is still loading its data",
            "OOM", "the server is out of memory",
            "CLUSTERDOWN", "the cluster does not serve",
            "MOVED", "the server is one of a Redis Cluster, which takes the scheme redis-cluster");

    private RedisErrors() {}

    /** Turns an error of a command into one of the two that a backend may answer with. */
    static FencedLockException of(String target, Throwable error) {
        Throwable cause = unwrap(error);
        if (cause instanceof BackendUnavailableException || cause instanceof OutcomeUnknownException) {
            return (FencedLockException) cause;
        }
        String text = target + ": " + reason(cause);
        return hadNoEffect(cause)
                ? new BackendUnavailableException(text, cause)
                : new OutcomeUnknownException("no answer from " + text, cause);
    }

    private static boolean hadNoEffect(Throwable error) {
        if (error instanceof RedisCommandTimeoutException) {
            return false;
        }
        if (error instanceof RedisCommandExecutionException
                || error instanceof RedisConnectionException
                || error instanceof PartitionSelectorException) { // no node has the key's slot
            return true;
        }
        if (error instanceof ClosedChannelException) {
            return true; // of the write: it was not, or not wholly, given to the network
        }
        String message = String.valueOf(error.getMessage());
        return error instanceof RedisException && NOT_SENT.stream().anyMatch(message::startsWith);
    }

    /** Whether the server answered that it is not, or no longer, the one to ask. */
    static boolean isFromReplica(Throwable error) {
        return String.valueOf(unwrap(error).getMessage()).startsWith("READONLY");
    }

    /** Whether a command that failed so may have run, or run yet; a command that did not fail is known. */
    static boolean isUnknown(@Nullable Throwable error) {
        return error != null && unwrap(error) instanceof OutcomeUnknownException;
    }

    static boolean isTimeout(Throwable error) {
        return unwrap(error) instanceof RedisCommandTimeoutException;
    }

    /** The innermost message, with what it means where that is not plain. */
    static String reason(Throwable error) {
        Throwable inner = unwrap(error);
        while (inner.getCause() != null && inner.getCause() != inner) {
            inner = inner.getCause();
        }
        if (inner instanceof ClosedChannelException) {
            return "the connection was closed";
        }
        String message = inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
        String code = message.startsWith(NO_RIGHT_IN_SCRIPT) ? "NOPERM" : message.split("[ :]", 2)[0];
        String meaning = MEANINGS.get(code);
        return meaning == null ? message : meaning + " (" + message + ")";
    }

    private static Throwable unwrap(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }
}
