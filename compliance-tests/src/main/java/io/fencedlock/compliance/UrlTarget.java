package io.fencedlock.compliance;

import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLocks;
import io.fencedlock.FencedRegister;
import io.fencedlock.LockConfigurationException;
import java.time.Duration;
import java.util.Optional;

/** A store that a URL names. */
final class UrlTarget implements ComplianceTarget {

    private final String name;
    private final String url;
    private final UrlControls controls;

    UrlTarget(String name, String url, Controls more) {
        this.name = name;
        this.url = url;
        controls = new UrlControls(url, more);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public FencedLocks open(Duration lease) {
        return open(url, lease);
    }

    static FencedLocks open(String url, Duration lease) {
        return FencedLocks.configure().url(withLease(url, lease)).connect();
    }

    static String withLease(String url, Duration lease) {
        return Urls.with(url, "lease=" + lease.toMillis() + "ms");
    }

    @Override
    public Optional<FencedRegister> openRegister() {
        try {
            return Optional.of(FencedLocks.configure().url(url).openRegister());
        } catch (LockConfigurationException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<FencedLockBackend> openBackend() {
        return Optional.of(FencedLocks.configure().url(url).openBackend());
    }

    @Override
    public Optional<String> url() {
        return Optional.of(url);
    }

    @Override
    public Controls controls() {
        return controls;
    }

    @Override
    public void close() {
        controls.close();
    }
}
