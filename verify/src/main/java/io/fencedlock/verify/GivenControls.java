package io.fencedlock.verify;

import io.fencedlock.compliance.Controls;
import io.fencedlock.compliance.NotApplicable;
import io.fencedlock.servers.Contents;
import io.fencedlock.servers.Store;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/** A server of the user's who allows faults: its process is out of reach, its contents are not. Keys of others are left alone. */
record GivenControls(Contents contents, Layout layout, String prefix) implements Controls {

    /** For a URL with one host, without TLS, password or number of a database: our view of contents knows none of these. */
    static Optional<Controls> of(String url) {
        URI uri = URI.create(url.replaceFirst("\\?.*", ""));
        Optional<Store> store = Arrays.stream(new Store[] {Store.REDIS, Store.ZOOKEEPER, Store.ETCD})
                .filter(s -> s.scheme().equals(uri.getScheme()))
                .findFirst();
        boolean plain = uri.getHost() != null && uri.getPort() > 0 && uri.getUserInfo() == null;
        String path = Optional.ofNullable(uri.getPath()).orElse("").replaceAll("/+$", "");
        if (store.isEmpty() || !plain || url.matches(".*[?&](prefix|database|user|password)=.*")) {
            return Optional.empty();
        }
        if (store.get() == Store.REDIS && !path.isEmpty()) {
            return Optional.empty();
        }
        String prefix = path.isEmpty()
                ? Layout.defaultPrefix(store.get())
                : store.get() == Store.ETCD ? path.substring(1) : path;
        Contents contents = Contents.of(store.get(), new InetSocketAddress(uri.getHost(), uri.getPort()));
        return Optional.of(new GivenControls(contents, Layout.of(store.get()), prefix));
    }

    @Override
    public void loseCounter() {
        layout.loseCounter(contents, prefix);
    }

    @Override
    public void stepClock(Duration by) {
        throw new NotApplicable(layout.clock());
    }

    @Override
    public long entries() {
        return layout.entries(contents, prefix);
    }
}
