package io.fencedlock.compliance;

import io.fencedlock.AcquireRequest;
import io.fencedlock.Attempt;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.Grant;
import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockName;
import io.fencedlock.Release;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;

/** Gives grants other tokens, each holder its own once. */
class Renumbered extends DelegateBackend {

    private final Map<HolderId, Long> numbers;
    private final ToLongFunction<Grant> number;

    /** The map is shared by all backends of a store. */
    Renumbered(FencedLockBackend right, Map<HolderId, Long> numbers, ToLongFunction<Grant> number) {
        super(right);
        this.numbers = numbers;
        this.number = number;
    }

    long number(Grant grant) {
        return numbers.computeIfAbsent(grant.holder(), holder -> number.applyAsLong(grant));
    }

    @Override
    public CompletionStage<Attempt> acquire(AcquireRequest request) {
        return right.acquire(request)
                .thenApply(attempt -> attempt instanceof Attempt.Granted granted
                        ? new Attempt.Granted(renumbered(granted.grant()), granted.liveness())
                        : attempt);
    }

    private Grant renumbered(Grant grant) {
        return new Grant(grant.name(), grant.holder(), number(grant), grant.leaseTime(), grant.ref());
    }

    @Override
    public CompletionStage<Optional<HolderInfo>> inspect(LockName name) {
        return right.inspect(name)
                .thenApply(found -> found.map(info -> new HolderInfo(
                        info.holder(),
                        numbers.getOrDefault(info.holder(), info.token()),
                        info.since(),
                        info.remaining(),
                        info.host(),
                        info.pid(),
                        info.waiters())));
    }

    @Override
    public CompletionStage<Release> forceRelease(LockName name, long token) {
        return right.inspect(name)
                .thenCompose(found -> right.forceRelease(
                        name,
                        found.filter(info -> numbers.getOrDefault(info.holder(), info.token()) == token)
                                .map(HolderInfo::token)
                                .orElse(Long.MAX_VALUE)));
    }
}
