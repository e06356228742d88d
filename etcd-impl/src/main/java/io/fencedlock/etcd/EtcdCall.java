package io.fencedlock.etcd;

import io.fencedlock.etcd.EtcdErrors.CallFailure;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One question and its one answer, also where the protocol has a stream. Knows whether the question left this process. */
final class EtcdCall<A> extends ClientCall.Listener<A> {

    private final EtcdChannels.Target target;
    private final CompletableFuture<A> answer = new CompletableFuture<>();
    private final SendTracer tracer = new SendTracer();
    private @Nullable A message;

    private EtcdCall(EtcdChannels.Target target) {
        this.target = target;
    }

    /**
     * Sends it.
     *
     * @return the answer, or {@link CallFailure}; always completes, at the deadline at the latest
     */
    static <Q, A> CompletableFuture<A> send(
            EtcdChannels.Target target,
            MethodDescriptor<Q, A> method,
            Q question,
            Metadata headers,
            Deadline deadline) {
        EtcdCall<A> listener = new EtcdCall<>(target);
        ClientCall<Q, A> call = target.channel()
                .newCall(method, CallOptions.DEFAULT.withDeadline(deadline).withStreamTracerFactory(listener.tracer));
        // A call alters the headers it is given.
        Metadata own = new Metadata();
        own.merge(headers);
        call.start(listener, own);
        call.request(2);
        call.sendMessage(question);
        call.halfClose();
        return listener.answer;
    }

    @Override
    public void onMessage(A received) {
        message = received;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        A received = message;
        if (status.isOk() && received != null) {
            answer.complete(received);
        } else {
            Status why =
                    status.isOk() ? Status.INTERNAL.withDescription("the server closed without an answer") : status;
            answer.completeExceptionally(new CallFailure(target.endpoint(), why, tracer.sent));
        }
    }

    private static final class SendTracer extends ClientStreamTracer.Factory {

        private volatile boolean sent;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void streamCreated(Attributes transportAttributes, Metadata sentHeaders) {
                    sent = true;
                }
            };
        }
    }
}
