package io.fencedlock.redis;

import io.fencedlock.HolderId;
import io.fencedlock.HolderInfo;
import io.fencedlock.LockName;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** What the nodes of a Redlock say of a lock when they are asked. Thread-safe, never blocks. */
record RedlockEntries(RedlockNodes nodes, RedisKeys keys) {

    private record Seen(Entry entry, long millis) {}

    /** Whom a majority names as the holder, or nobody. */
    CompletableFuture<Optional<HolderInfo>> holder(LockName name) {
        return entries(name).thenApply(this::holder);
    }

    /** Who has a token, on any node. */
    CompletableFuture<Optional<HolderId>> holder(LockName name, long token) {
        return entries(name)
                .thenApply(poll -> poll.given().stream()
                        .flatMap(Optional::stream)
                        .map(Seen::entry)
                        .filter(entry -> entry.token() == token)
                        .map(Entry::holder)
                        .findFirst());
    }

    private CompletableFuture<Poll<Optional<Seen>>> entries(LockName name) {
        String[] where = {keys.lock(name), keys.seen(name)};
        List<CompletableFuture<Optional<Seen>>> answers = nodes.each(node -> nodes.run(
                        node, Script.INSPECT, where, (RedisCommands.Arguments) wire -> new String[0])
                .thenApply(answer -> answer.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Seen(
                                Entry.parse(String.valueOf(answer.get(0))),
                                Long.parseLong(String.valueOf(answer.get(1)))))));
        return Poll.<Optional<Seen>>of(nodes.target(), answers, poll -> false).thenApply(poll -> {
            if (poll.given().size() < nodes.quorum().majority()) {
                throw poll.tooFew(nodes.target(), poll.given().size() + " answered");
            }
            return poll;
        });
    }

    private Optional<HolderInfo> holder(Poll<Optional<Seen>> poll) {
        Map<HolderId, List<Seen>> byHolder = poll.given().stream()
                .flatMap(Optional::stream)
                .collect(Collectors.groupingBy(seen -> seen.entry().holder()));
        return byHolder.values().stream()
                .filter(seen -> seen.size() >= nodes.quorum().majority())
                .findFirst()
                .flatMap(this::info);
    }

    /** As it was granted; it ends when it has no majority any more. */
    private Optional<HolderInfo> info(List<Seen> seen) {
        List<Long> ends = seen.stream()
                .map(Seen::millis)
                .sorted(Comparator.reverseOrder())
                .toList();
        Entry granted = seen.stream()
                .map(Seen::entry)
                .max(Comparator.comparingLong(Entry::token))
                .orElseThrow();
        if (granted.token() == 0) {
            return Optional.empty(); // on its way, or given up
        }
        HolderInfo info = granted.info(ends.get(nodes.quorum().majority() - 1), 0);
        return Optional.of(new HolderInfo(
                info.holder(),
                info.token(),
                info.since(),
                info.remaining(),
                info.host(),
                info.pid(),
                OptionalInt.empty()));
    }
}
