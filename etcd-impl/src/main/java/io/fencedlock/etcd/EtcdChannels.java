package io.fencedlock.etcd;

import io.fencedlock.Endpoint;
import io.fencedlock.LockClock;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * One connection to one of the endpoints at a time. When it fails, the next endpoint is tried with a fresh channel: gRPC itself would wait for
 * up to two minutes before it looked again. Nothing is tried without a call that wants it, and, once every endpoint has failed, not more often than
 * ten times a second. Thread-safe.
 */
final class EtcdChannels {

    private static final int LARGEST_ANSWER_BYTES = 64 << 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long END_MILLIS = 500;

    private final List<Endpoint> endpoints;
    private final Optional<SslContext> tls;
    private final Optional<String> authority;
    private final Duration timeout;
    private final LockClock clock;
    private final Runnable moved;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("fencedlock-etcd", true), NioIoHandler.newFactory());

    /** Guarded by this: how many channels have failed since one was of use. */
    private int failures;

    private int index;
    private boolean closed;
    private volatile Target current;

    /**
     * Opens the first channel.
     *
     * @param moved runs, without a lock held, after another channel has taken the place of the current one
     */
    EtcdChannels(
            List<Endpoint> endpoints,
            Optional<SslContext> tls,
            Optional<String> authority,
            Duration timeout,
            LockClock clock,
            Runnable moved) {
        this.endpoints = endpoints;
        this.tls = tls;
        this.authority = authority;
        this.timeout = timeout;
        this.clock = clock;
        this.moved = moved;
        index = ThreadLocalRandom.current().nextInt(endpoints.size());
        current = open();
        current.channel.getState(true);
    }

    /** A channel to an endpoint. */
    static final class Target {

        private final Endpoint endpoint;
        private final ManagedChannel channel;
        private final long openedNanos;
        private volatile long heardNanos;

        private Target(Endpoint endpoint, ManagedChannel channel, long now) {
            this.endpoint = endpoint;
            this.channel = channel;
            openedNanos = now;
            heardNanos = now;
        }

        Endpoint endpoint() {
            return endpoint;
        }

        ManagedChannel channel() {
            return channel;
        }
    }

    int size() {
        return endpoints.size();
    }

    Target current() {
        return current;
    }

    /** The server spoke. */
    void heard(Target target) {
        target.heardNanos = clock.nanos();
        if (failures != 0 && target == current) {
            synchronized (this) {
                failures = 0;
            }
        }
    }

    /** Nothing was heard since a call began that ran into its deadline: the connection may be dead without knowing it. */
    void silent(Target target, long sinceNanos) {
        if (target.heardNanos - sinceNanos <= 0) {
            failed(target);
        }
    }

    /** The target is of no use: goes on to the next endpoint, unless somebody has already, or all were tried a moment ago. */
    void failed(Target target) {
        synchronized (this) {
            boolean early = clock.nanos() - target.openedNanos < PAUSE_NANOS;
            if (closed || target != current || (early && failures >= endpoints.size())) {
                return;
            }
            failures++;
            index = (index + 1) % endpoints.size();
            current = open();
        }
        target.channel.shutdown();
        clock.schedule(timeout.toNanos(), target.channel::shutdownNow);
        moved.run();
    }

    private Target open() {
        Endpoint endpoint = endpoints.get(index);
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .channelType(NioSocketChannel.class)
                .eventLoopGroup(loop)
                .directExecutor()
                .disableRetry()
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectMillis())
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .maxInboundMessageSize(LARGEST_ANSWER_BYTES);
        tls.ifPresentOrElse(builder::sslContext, builder::usePlaintext);
        authority.ifPresent(builder::overrideAuthority);
        return new Target(endpoint, builder.build(), clock.nanos());
    }

    /** Leaves time for another endpoint within one call. */
    private int connectMillis() {
        return (int) Math.max(1, timeout.toMillis() / Math.min(2, endpoints.size()));
    }

    /** Ends all calls and the thread; bounded. */
    void close() {
        Target last;
        synchronized (this) {
            closed = true;
            last = current;
        }
        last.channel.shutdownNow();
        boolean interrupted = Thread.interrupted();
        try {
            last.channel.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS);
            loop.shutdownGracefully(0, END_MILLIS, TimeUnit.MILLISECONDS).await(2 * END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
