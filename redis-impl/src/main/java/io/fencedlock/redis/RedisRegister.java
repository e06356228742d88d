package io.fencedlock.redis;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.LockName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values on Redis, each a key under the prefix, behind the fence of the same resource. */
final class RedisRegister implements FencedRegister {

    private final Scripts scripts;
    private final RedisFence fence;
    private final RedisKeys keys;

    RedisRegister(Scripts scripts, String prefix) {
        this.scripts = scripts;
        fence = new RedisFence(scripts, prefix);
        keys = new RedisKeys(prefix);
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        fence.writer(resource, mark).set(key(resource), value);
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        fence.advance(resource, mark);
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        String key = key(resource);
        scripts.send(List.of(key), redis -> redis.set(key, value));
    }

    @Override
    public Optional<String> read(String resource) {
        String key = key(resource);
        return Optional.ofNullable(scripts.<@Nullable String>send(List.of(key), redis -> redis.get(key)));
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return fence.mark(resource);
    }

    /** Both in one slot, so in one step. */
    @Override
    public void remove(String resource) {
        String value = key(resource);
        scripts.send(List.of(value), redis -> redis.del(value, keys.mark(resource)));
    }

    private String key(String resource) {
        return keys.value(new LockName(resource).value());
    }

    @Override
    public void close() {
        scripts.close();
    }
}
