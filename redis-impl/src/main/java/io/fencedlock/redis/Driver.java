package io.fencedlock.redis;

import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletionStage;

/** Makes connections with Lettuce. Thread-safe; nothing here blocks but {@link #close}. */
interface Driver extends AutoCloseable {

    static Driver open(RedisSettings settings) {
        return settings.topology() == Topology.CLUSTER ? new ClusterDriver(settings) : new ServerDriver(settings);
    }

    /** Connects and logs in. Commands of one {@link Wire} are run in the order in which they were sent. */
    CompletionStage<Wire> connect();

    /** Connects for listening to channels. */
    CompletionStage<StatefulRedisPubSubConnection<String, String>> connectPubSub();

    /** Closes everything, within about the command timeout. Never throws. */
    @Override
    void close();
}
