package io.fencedlock.redis;

import io.fencedlock.Endpoint;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.TimeoutOptions.TimeoutSource;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.EpollProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How Lettuce is set up. A command is sent once or not at all: it is never queued for a connection to come and never replayed on one. */
final class LettuceSetup {

    /** Also the longest handshake. */
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private static final int QUEUE = 100_000;
    private static final int THREADS = 2;
    private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofMillis(500);
    private static final Duration KEEP_ALIVE_IDLE = Duration.ofSeconds(5);
    private static final Duration KEEP_ALIVE_INTERVAL = Duration.ofSeconds(2);

    private LettuceSetup() {}

    static DefaultClientResources.Builder resources() {
        return DefaultClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .nettyCustomizer(new InOneFlush())
                .reconnectDelay(
                        Delay.exponential(Duration.ofMillis(20), LONGEST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS));
    }

    static void apply(ClientOptions.Builder options, RedisSettings settings) {
        options.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(QUEUE)
                .timeoutOptions(TimeoutOptions.builder()
                        .timeoutSource(new ButForScripts(settings.commandTimeout()))
                        .build())
                // They would relax timeouts that lease times are reckoned with.
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(sockets(settings));
        settings.tls().ifPresent(tls -> options.sslOptions(tls.ssl()));
    }

    private static SocketOptions sockets(RedisSettings settings) {
        Duration unacknowledged = settings.commandTimeout().multipliedBy(2);
        return SocketOptions.builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(KEEP_ALIVE_IDLE)
                        .interval(KEEP_ALIVE_INTERVAL)
                        .count(3)
                        .build())
                .tcpUserTimeout(TcpUserTimeoutOptions.builder()
                        // Refused without a native transport. RedisCommands gives a silent connection up all the same.
                        .enable(EpollProvider.isAvailable())
                        .tcpUserTimeout(
                                unacknowledged.compareTo(CONNECT_TIMEOUT) > 0 ? unacknowledged : CONNECT_TIMEOUT)
                        .build())
                .build();
    }

    /** Requests that many threads make at the same time go to the network together: a system call costs more than the rest of a request. */
    private static final class InOneFlush implements NettyCustomizer {

        /** So many at most, as the server is to work meanwhile. */
        private static final int MOST = 32;

        @Override
        public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addFirst(new FlushConsolidationHandler(MOST, true));
        }
    }

    /** Scripts are ended by {@link Unanswered}. */
    private static final class ButForScripts extends TimeoutSource {

        private final long millis;

        private ButForScripts(Duration timeout) {
            millis = timeout.toMillis();
        }

        /** In milliseconds; 0 for none. */
        @Override
        public long getTimeout(@Nullable RedisCommand<?, ?, ?> command) {
            boolean script = command != null
                    && (command.getType() == CommandType.EVALSHA || command.getType() == CommandType.EVAL);
            return script ? 0 : millis;
        }
    }

    /** A server of the store itself. */
    static RedisURI server(Endpoint endpoint, RedisSettings settings) {
        return uri(endpoint, settings, settings.server())
                .withDatabase(settings.database())
                .build();
    }

    /** A Sentinel. */
    static RedisURI sentinel(Endpoint endpoint, RedisSettings settings) {
        return uri(endpoint, settings, settings.sentinel()).build();
    }

    private static RedisURI.Builder uri(Endpoint endpoint, RedisSettings settings, RedisSettings.Credentials login) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(endpoint.host())
                .withPort(endpoint.port())
                .withClientName("fencedlock")
                .withTimeout(CONNECT_TIMEOUT);
        settings.tls().ifPresent(tls -> uri.withSsl(true).withVerifyPeer(tls.verifyMode()));
        login.password().ifPresent(password -> {
            char[] secret = password.value().toCharArray();
            if (login.user().isPresent()) {
                uri.withAuthentication(login.user().get(), secret);
            } else {
                uri.withPassword(secret);
            }
        });
        return uri;
    }
}
