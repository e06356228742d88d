package io.fencedlock.redis;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.LockClock;
import io.fencedlock.LockName;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.StaleTokenException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Values on Redis, each a hash of its own under the prefix with the value and its mark; the check is a script. */
final class RedisRegister implements FencedRegister {

    private final RedisSettings settings;
    private final Driver driver;
    private final RedisKeys keys;
    private final RedisCommands commands;

    RedisRegister(RedisSettings settings, Driver driver, LockClock clock) {
        this.settings = settings;
        this.driver = driver;
        keys = new RedisKeys(settings.prefix());
        commands = new RedisCommands(settings, driver, clock);
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        checked(resource, mark, "write", value);
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        checked(resource, mark, "advance", "");
    }

    private void checked(String resource, FenceMark mark, String what, String value) {
        List<Object> answer = run(
                Script.REGISTER_WRITE, resource, String.valueOf(mark.token()), StoredMark.holder(mark), what, value);
        if (answer.size() > 1) {
            throw new StaleTokenException(resource, mark.token(), Long.parseLong(String.valueOf(answer.get(1))));
        }
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        run(Script.REGISTER_PUT, resource, value);
    }

    @Override
    public Optional<String> read(String resource) {
        return Optional.ofNullable(field(resource, 0));
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        return Optional.ofNullable(field(resource, 1)).map(StoredMark::parse);
    }

    private @Nullable String field(String resource, int index) {
        @Nullable Object value = run(Script.REGISTER_READ, resource).get(index);
        return value == null ? null : value.toString();
    }

    @Override
    public void remove(String resource) {
        run(Script.REGISTER_REMOVE, resource);
    }

    private List<Object> run(Script script, String resource, String... arguments) {
        String[] key = {keys.register(new LockName(resource).value())};
        CompletableFuture<List<Object>> answer = commands.run(script, key, arguments);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw RedisErrors.of(settings.target(), new CompletionException(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OutcomeUnknownException("interrupted while waiting for " + settings.target(), e);
        }
    }

    @Override
    public void close() {
        commands.close();
        driver.close();
    }
}
