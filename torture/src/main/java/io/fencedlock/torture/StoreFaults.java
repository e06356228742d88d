package io.fencedlock.torture;

import io.fencedlock.FencedLockException;
import io.fencedlock.HolderInfo;
import io.fencedlock.TokenSurvival;
import io.fencedlock.torture.Nemesis.Healing;
import io.fencedlock.torture.Nemesis.Target;
import java.util.List;
import java.util.Optional;

/** What can be taken from a store that runs on. */
final class StoreFaults {
    static final List<Nemesis> ALL = List.of(
            new Nemesis(
                    "script-flush",
                    "Redis forgets all scripts, twice",
                    Target.STORE,
                    Arena::isRedis,
                    null,
                    StoreFaults::flushScripts),
            new Nemesis(
                    "full-memory",
                    "Redis has no memory left for new entries",
                    Target.STORE,
                    Arena::isRedis,
                    null,
                    StoreFaults::fillMemory),
            new Nemesis(
                    "lose-counter",
                    "what tokens are made from is deleted: counters, or the base",
                    Target.STORE,
                    Arena::isOurs,
                    TokenSurvival.COUNTER_LOSS,
                    StoreFaults::loseCounter),
            new Nemesis(
                    "lose-parents",
                    "all contenders' znodes are deleted with their parents",
                    Target.STORE,
                    Arena::isZooKeeper,
                    TokenSurvival.COUNTER_LOSS,
                    StoreFaults::loseParents),
            new Nemesis(
                    "force-release",
                    "an operator takes a lock from its holder, without harm to others",
                    Target.STORE,
                    Arena::mayBeHarmed,
                    null,
                    StoreFaults::forceRelease));

    private StoreFaults() {}

    private static Healing flushScripts(Scene scene) {
        RedisAdmin redis = (RedisAdmin) scene.arena().admin();
        redis.flushScripts();
        return () -> {
            scene.whole();
            redis.flushScripts();
        };
    }

    /** Lifted before the store is whole again, since a full node takes no orders from Sentinels. */
    private static Healing fillMemory(Scene scene) {
        RedisAdmin redis = (RedisAdmin) scene.arena().admin();
        redis.limitMemory("1");
        return () -> redis.limitMemory("0");
    }

    private static Healing loseCounter(Scene scene) {
        scene.arena().admin().loseCounter();
        return () -> {};
    }

    private static Healing loseParents(Scene scene) {
        Runnable end = scene.forgets("");
        ((ZooKeeperAdmin) scene.arena().admin()).loseParents();
        end.run();
        return () -> {};
    }

    private static Healing forceRelease(Scene scene) throws InterruptedException {
        String lock = scene.lock();
        Runnable end = scene.forgets(lock);
        try {
            Optional<HolderInfo> holder = scene.client().inspect(lock);
            if (holder.isPresent()) {
                scene.client().forceRelease(lock, holder.get().token());
            }
        } catch (FencedLockException e) {
            // another fault is at work; an operator would try again
        } finally {
            end.run();
        }
        return () -> {};
    }
}
