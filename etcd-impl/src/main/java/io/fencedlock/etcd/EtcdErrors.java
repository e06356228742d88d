package io.fencedlock.etcd;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.Endpoint;
import io.fencedlock.FencedLockException;
import io.fencedlock.OutcomeUnknownException;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Says of a call that failed whether it had an effect. */
final class EtcdErrors {

    /** What the server itself says begins so; the rest comes from gRPC. */
    static final String OF_SERVER = "etcdserver: ";

    /** With these the server refuses before it does anything. */
    private static final Set<Status.Code> REFUSALS = EnumSet.of(
            Status.Code.UNAUTHENTICATED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.INVALID_ARGUMENT,
            Status.Code.NOT_FOUND,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.RESOURCE_EXHAUSTED,
            Status.Code.OUT_OF_RANGE);

    private EtcdErrors() {}

    /** Whether an error of the server's with this code of gRPC means that nothing was done. */
    static boolean isRefusal(String code) {
        return REFUSALS.stream().anyMatch(refusal -> refusal.name().equals(code));
    }

    /** How a single call failed; without a stack, since the place tells nothing. */
    static final class CallFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Endpoint endpoint;
        private final transient Status status;
        private final boolean sent;

        CallFailure(Endpoint endpoint, Status status, boolean sent) {
            super(status.toString(), status.getCause(), false, false);
            this.endpoint = endpoint;
            this.status = status;
            this.sent = sent;
        }

        /** The same failure, of a request that another one waits for. */
        CallFailure unsent() {
            return new CallFailure(endpoint, status, false);
        }

        /** Whether it had no effect for a reason that another endpoint need not have. */
        boolean mayGoElsewhere() {
            return withoutEffect() && !(saidByServer() && REFUSALS.contains(code()));
        }

        Status.Code code() {
            return status.getCode();
        }

        String description() {
            return status.getDescription() == null ? "" : status.getDescription();
        }

        boolean saidByServer() {
            return description().startsWith(OF_SERVER);
        }

        private boolean withoutEffect() {
            boolean leaderless =
                    code() == Status.Code.UNAVAILABLE && description().equals(OF_SERVER + "no leader");
            return !sent || leaderless || (saidByServer() && REFUSALS.contains(code()));
        }

        FencedLockException told(long timeoutMillis) {
            String message = "etcd at " + endpoint + " " + reason(timeoutMillis);
            return withoutEffect()
                    ? new BackendUnavailableException(message, this)
                    : new OutcomeUnknownException(message, this);
        }

        private String reason(long timeoutMillis) {
            if (code() == Status.Code.DEADLINE_EXCEEDED && !saidByServer()) {
                return (sent ? "did not answer within " : "could not be connected to within ") + timeoutMillis + " ms";
            }
            if (saidByServer()) {
                return "refused: " + description().substring(OF_SERVER.length());
            }
            return (sent ? "broke off: " : "cannot be reached: ") + rootCause();
        }

        private String rootCause() {
            Throwable cause = status.getCause();
            while (cause != null && cause.getCause() != null) {
                cause = cause.getCause();
            }
            return cause == null || cause.getMessage() == null ? description() : cause.getMessage();
        }
    }

    /** Takes off what stages wrap around an exception. */
    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Whether the server does not know the etcd lease of a request. */
    static boolean leaseGone(@Nullable Throwable failure) {
        return is(failure, Status.Code.NOT_FOUND, "lease not found");
    }

    static boolean leaseExists(@Nullable Throwable failure) {
        return is(failure, Status.Code.FAILED_PRECONDITION, "lease already exists");
    }

    /** Whether the login has to be done anew: its ticket ran out, or users were changed. */
    static boolean loginOver(CallFailure failure) {
        return failure.saidByServer()
                && (failure.code() == Status.Code.UNAUTHENTICATED
                        || failure.description().contains("revision of auth store is old"));
    }

    static boolean withoutLogins(CallFailure failure) {
        return failure.code() == Status.Code.FAILED_PRECONDITION
                && failure.description().contains("authentication is not enabled");
    }

    private static boolean is(@Nullable Throwable failure, Status.Code code, String text) {
        return failure != null
                && unwrapped(failure) instanceof FencedLockException told
                && told.getCause() instanceof CallFailure call
                && call.code() == code
                && call.description().contains(text);
    }
}
