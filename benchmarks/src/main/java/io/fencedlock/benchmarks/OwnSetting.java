package io.fencedlock.benchmarks;

import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.util.EnumSet;
import java.util.Set;

/** A workload that is measured {@link #alone()}, on what it starts itself: it has no rounds on a server that subjects share. */
interface OwnSetting extends Workload {

    @Override
    default Set<Store> stores() {
        return EnumSet.noneOf(Store.class);
    }

    @Override
    default boolean suits(Subject subject) {
        return false;
    }

    @Override
    default void round(Server server, Subject subject, Subject.Client client, Sample sample) {
        throw new UnsupportedOperationException(name() + " has no rounds on a server that is given");
    }
}
