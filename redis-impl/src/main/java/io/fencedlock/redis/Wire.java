package io.fencedlock.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Optional;

/**
 * A connection for commands.
 *
 * @param connection what to close
 * @param commands what to send with
 * @param single whether it is one TCP connection to one server, which is lost when that is; else the driver keeps it up
 */
record Wire(
        StatefulConnection<String, String> connection,
        RedisClusterAsyncCommands<String, String> commands,
        boolean single) {

    /** The connection, if it is for us to replace it. */
    Optional<StatefulConnection<?, ?>> watched() {
        return single ? Optional.of(connection) : Optional.empty();
    }
}
