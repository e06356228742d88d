package io.fencedlock.etcd;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.fencedlock.Secret;
import io.fencedlock.etcd.EtcdErrors.CallFailure;
import io.grpc.Deadline;
import io.grpc.Metadata;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What every request carries: that its member must have a leader, and, with a user, the ticket that the server gave for the password.
 * Thread-safe.
 */
final class EtcdLogin {

    private static final Metadata.Key<String> LEADER = Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> TICKET = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata ANONYMOUS = headers(Optional.empty());
    private static final CompletableFuture<Metadata> NO_LOGIN = CompletableFuture.completedFuture(ANONYMOUS);

    private final Optional<String> user;
    private final Optional<Secret> password;
    private @Nullable CompletableFuture<Metadata> headers;

    EtcdLogin(Optional<String> user, Optional<Secret> password) {
        this.user = user;
        this.password = password;
    }

    private static Metadata headers(Optional<String> ticket) {
        Metadata headers = new Metadata();
        headers.put(LEADER, "true");
        ticket.ifPresent(text -> headers.put(TICKET, text));
        return headers;
    }

    /** The headers; logs in first if that has not been done. */
    synchronized CompletableFuture<Metadata> headers(EtcdChannels.Target target, Deadline deadline) {
        if (user.isEmpty()) {
            return NO_LOGIN;
        }
        if (headers == null || headers.isCompletedExceptionally()) {
            headers = ask(target, deadline);
        }
        return headers;
    }

    private CompletableFuture<Metadata> ask(EtcdChannels.Target target, Deadline deadline) {
        AuthenticateRequest question = AuthenticateRequest.newBuilder()
                .setName(user.orElseThrow())
                .setPassword(password.map(Secret::value).orElse(""))
                .build();
        CompletableFuture<Metadata> given = new CompletableFuture<>();
        EtcdCall.send(target, AuthGrpc.getAuthenticateMethod(), question, ANONYMOUS, deadline)
                .whenComplete((answer, failure) -> settle(given, answer, failure, target));
        return given;
    }

    private static void settle(
            CompletableFuture<Metadata> given,
            @Nullable AuthenticateResponse answer,
            @Nullable Throwable failure,
            EtcdChannels.Target target) {
        if (answer != null) {
            given.complete(headers(Optional.of(answer.getToken())));
        } else if (failure instanceof CallFailure call && EtcdErrors.withoutLogins(call)) {
            given.complete(ANONYMOUS);
        } else if (failure instanceof CallFailure call) {
            // Whatever became of the login, the request that waits for it was not sent.
            given.completeExceptionally(call.unsent());
        } else {
            given.completeExceptionally(new CallFailure(
                    target.endpoint(), io.grpc.Status.INTERNAL.withDescription(String.valueOf(failure)), false));
        }
    }

    /** The headers at hand, for a stream that comes after a successful request. */
    synchronized Metadata present() {
        return headers == null || headers.isCompletedExceptionally() || !headers.isDone() ? ANONYMOUS : headers.join();
    }

    /** The server does not take these any more. */
    synchronized void refused(Metadata old) {
        if (headers != null && headers.isDone() && present() == old) {
            headers = null;
        }
    }
}
