package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrantResponse;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseRevokeResponse;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.fencedlock.LockClock;
import io.fencedlock.etcd.EtcdErrors.CallFailure;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * etcd's requests, each answered within the command timeout: by its answer, by {@link io.fencedlock.BackendUnavailableException} or by {@link
 * io.fencedlock.OutcomeUnknownException}. A request that certainly had no effect is tried on the other endpoints within that time. Thread-safe;
 * answers arrive on the network's thread.
 */
final class EtcdClient {

    private final EtcdChannels channels;
    private final EtcdLogin login;
    private final LockClock clock;
    private final Duration timeout;

    EtcdClient(EtcdChannels channels, EtcdLogin login, LockClock clock, Duration timeout) {
        this.channels = channels;
        this.login = login;
        this.clock = clock;
        this.timeout = timeout;
    }

    LockClock clock() {
        return clock;
    }

    Duration timeout() {
        return timeout;
    }

    CompletableFuture<TxnResponse> txn(TxnRequest.Builder request) {
        return call(KVGrpc.getTxnMethod(), request.build());
    }

    CompletableFuture<RangeResponse> range(RangeRequest.Builder request) {
        return call(KVGrpc.getRangeMethod(), request.build());
    }

    /** Cheaper for the server than a transaction that does the same. */
    CompletableFuture<DeleteRangeResponse> delete(ByteString key) {
        return call(
                KVGrpc.getDeleteRangeMethod(),
                DeleteRangeRequest.newBuilder().setKey(key).build());
    }

    CompletableFuture<LeaseGrantResponse> grant(long etcdLease, long seconds) {
        return call(
                LeaseGrpc.getLeaseGrantMethod(),
                LeaseGrantRequest.newBuilder().setID(etcdLease).setTTL(seconds).build());
    }

    /** A stream for one question: an etcd lease whose renewal the server delays does not delay others. */
    CompletableFuture<LeaseKeepAliveResponse> keepAlive(long etcdLease) {
        return call(
                LeaseGrpc.getLeaseKeepAliveMethod(),
                LeaseKeepAliveRequest.newBuilder().setID(etcdLease).build());
    }

    /** Its time and all its keys. */
    CompletableFuture<LeaseTimeToLiveResponse> timeToLive(long etcdLease, boolean keys) {
        return call(
                LeaseGrpc.getLeaseTimeToLiveMethod(),
                LeaseTimeToLiveRequest.newBuilder()
                        .setID(etcdLease)
                        .setKeys(keys)
                        .build());
    }

    CompletableFuture<LeaseRevokeResponse> revoke(long etcdLease) {
        return call(
                LeaseGrpc.getLeaseRevokeMethod(),
                LeaseRevokeRequest.newBuilder().setID(etcdLease).build());
    }

    /** A stream over the current channel, not yet started. */
    <Q, A> ClientCall<Q, A> stream(MethodDescriptor<Q, A> method) {
        return channels.current().channel().newCall(method, CallOptions.DEFAULT);
    }

    /** The headers of the last request, for a stream. */
    Metadata headersAtHand() {
        Metadata headers = new Metadata();
        headers.merge(login.present());
        return headers;
    }

    <Q, A> CompletableFuture<A> call(MethodDescriptor<Q, A> method, Q question) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        new Tries<>(method, question, answer).send();
        return answer;
    }

    /** One request over as many endpoints as it takes. */
    private final class Tries<Q, A> {

        private final MethodDescriptor<Q, A> method;
        private final Q question;
        private final CompletableFuture<A> answer;
        private final Deadline deadline = Deadline.after(timeout.toNanos(), TimeUnit.NANOSECONDS);
        private int left = channels.size();
        private boolean loginRepeated;

        private Tries(MethodDescriptor<Q, A> method, Q question, CompletableFuture<A> answer) {
            this.method = method;
            this.question = question;
            this.answer = answer;
        }

        private void send() {
            EtcdChannels.Target target = channels.current();
            long began = clock.nanos();
            left--;
            login.headers(target, deadline).whenComplete((headers, refused) -> {
                if (headers == null) {
                    settle(target, began, ANY_HEADERS, null, refused);
                } else {
                    EtcdCall.send(target, method, question, headers, deadline)
                            .whenComplete((value, failure) -> settle(target, began, headers, value, failure));
                }
            });
        }

        private void settle(
                EtcdChannels.Target target,
                long began,
                Metadata headers,
                @Nullable A value,
                @Nullable Throwable failure) {
            if (value != null) {
                channels.heard(target);
                answer.complete(value);
            } else if (failure instanceof CallFailure call) {
                failed(target, began, headers, call);
            } else {
                answer.completeExceptionally(failure == null ? new IllegalStateException("no answer") : failure);
            }
        }

        private void failed(EtcdChannels.Target target, long began, Metadata headers, CallFailure call) {
            judge(target, began, call);
            if (EtcdErrors.loginOver(call) && headers != ANY_HEADERS && !loginRepeated) {
                loginRepeated = true;
                left++;
                login.refused(headers);
                send();
            } else if (call.mayGoElsewhere() && left > 0 && !deadline.isExpired() && target != channels.current()) {
                send();
            } else {
                answer.completeExceptionally(call.told(timeout.toMillis()));
            }
        }

        /** What a failure says of the connection. */
        private void judge(EtcdChannels.Target target, long began, CallFailure call) {
            if (call.saidByServer()) {
                channels.heard(target);
                if (call.code() == Status.Code.UNAVAILABLE && channels.size() > 1) {
                    channels.failed(target);
                }
            } else if (call.code() == Status.Code.DEADLINE_EXCEEDED) {
                channels.silent(target, began);
            } else if (call.code() != Status.Code.CANCELLED) {
                channels.failed(target);
            }
        }
    }

    private static final Metadata ANY_HEADERS = new Metadata();
}
