package io.fencedlock.zookeeper;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.zookeeper.client.HostProvider;

/**
 * The servers in turn, each at all its addresses. Unlike the driver's own list it tells when none took the connection, and pauses for a tenth of a
 * second then, not for a whole one, which would be most of a short session's time. For the one thread of a driver that connects.
 */
final class Hosts implements HostProvider {

    private static final long LONGEST_PAUSE_MILLIS = 100;

    private final List<InetSocketAddress> servers;
    private final Runnable onNobody;
    private final Queue<InetSocketAddress> round = new ArrayDeque<>();
    private boolean allTried;

    /**
     * Begins anywhere, so that many clients spread over the servers.
     *
     * @param onNobody called each time when all were tried in vain
     */
    Hosts(Collection<InetSocketAddress> servers, Runnable onNobody) {
        this.servers = new ArrayList<>(servers);
        this.onNobody = onNobody;
        Collections.shuffle(this.servers);
    }

    @Override
    public int size() {
        return servers.size();
    }

    @Override
    public InetSocketAddress next(long pauseMillis) {
        if (round.isEmpty()) {
            if (allTried) {
                onNobody.run();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(Math.min(pauseMillis, LONGEST_PAUSE_MILLIS)));
            }
            allTried = true;
            servers.forEach(this::addAddresses);
        }
        return round.remove();
    }

    /** Asked for each time: where names come from, addresses change. */
    private void addAddresses(InetSocketAddress server) {
        try {
            for (InetAddress address : InetAddress.getAllByName(server.getHostString())) {
                round.add(new InetSocketAddress(address, server.getPort()));
            }
        } catch (UnknownHostException e) {
            round.add(server);
        }
    }

    @Override
    public void onConnected() {
        allTried = false;
    }

    @Override
    public boolean updateServerList(Collection<InetSocketAddress> changed, InetSocketAddress current) {
        return false;
    }
}
