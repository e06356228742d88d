package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FencedLockException;
import io.fencedlock.OutcomeUnknownException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answers of all nodes to one question, as far as they have come.
 *
 * @param given the answers
 * @param failed why others gave none
 * @param open how many have still to say something
 */
record Poll<A>(List<A> given, List<FencedLockException> failed, int open) {

    /** Completes, normally, as soon as enough is known, at the latest when all have answered or failed. */
    static <A> CompletableFuture<Poll<A>> of(
            String target, List<CompletableFuture<A>> answers, Predicate<Poll<A>> enough) {
        List<A> given = new ArrayList<>();
        List<FencedLockException> failed = new ArrayList<>();
        CompletableFuture<Poll<A>> poll = new CompletableFuture<>();
        for (CompletableFuture<A> answer : answers) {
            var unused = answer.whenComplete((value, failure) -> {
                Poll<A> now;
                synchronized (given) {
                    if (failure == null) {
                        given.add(value);
                    } else {
                        failed.add(RedisErrors.of(target, failure));
                    }
                    int open = answers.size() - given.size() - failed.size();
                    now = new Poll<>(List.copyOf(given), List.copyOf(failed), open);
                }
                if (now.open == 0 || enough.test(now)) {
                    poll.complete(now);
                }
            });
        }
        return poll;
    }

    Stream<A> where(Predicate<A> condition) {
        return given.stream().filter(condition);
    }

    long count(Predicate<A> condition) {
        return where(condition).count();
    }

    /** That too few answered: whether something may have happened is as uncertain as at any of the nodes. */
    FencedLockException tooFew(String target, String found) {
        @Nullable
        FencedLockException unknown = failed.stream()
                .filter(OutcomeUnknownException.class::isInstance)
                .findFirst()
                .orElse(null);
        @Nullable
        FencedLockException cause =
                unknown != null ? unknown : failed.stream().findFirst().orElse(null);
        String text = "no majority of the " + target + ": " + found
                + (cause == null ? "" : "; " + failed.size() + " gave no answer, as one: " + cause.getMessage());
        return unknown == null
                ? new BackendUnavailableException(text, cause)
                : new OutcomeUnknownException(text, cause);
    }
}
