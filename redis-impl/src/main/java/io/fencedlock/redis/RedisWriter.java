package io.fencedlock.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes that are checked on the server in the same atomic step: by a fence ({@link RedisFence#writer}) or by ownership of a lock ({@link
 * RedisGuard#writer}), which say what is thrown when the check refuses. Nothing is written then.
 *
 * <p>Immutable, thread-safe, cheap to make. Methods block for at most the command timeout and throw {@link io.fencedlock.BackendUnavailableException}
 * when nothing was changed, {@link io.fencedlock.OutcomeUnknownException} when it may have been, and {@link IllegalStateException} when
 * Redis refused the change itself (a key of another type); then what a change of several commands has done before stays. Nothing may be null.
 */
public final class RedisWriter {

    private static final String SET = "redis.call('SET', KEYS[1], ARGV[1])";
    private static final String DELETE = "return redis.call('DEL', KEYS[1])";
    private static final String SET_FIELDS =
            "for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end";
    private static final String DELETE_FIELDS = "local gone = 0 "
            + "for _, field in ipairs(ARGV) do gone = gone + redis.call('HDEL', KEYS[1], field) end return gone";

    private final Gate gate;

    /** The check. */
    interface Gate {

        /** Makes the change, a Lua text, if the check admits it. */
        @Nullable
        Object make(String change, List<String> keys, String... arguments);
    }

    RedisWriter(Gate gate) {
        this.gate = gate;
    }

    /** Only the check. */
    void nothing() {
        gate.make("", List.of());
    }

    /**
     * Sets a text value.
     *
     * @param key what to write
     * @param value the value
     */
    public void set(String key, String value) {
        gate.make(SET, List.of(key), value);
    }

    /**
     * Deletes a key. The fence's mark stays.
     *
     * @param key what to delete
     * @return whether it was there
     */
    public boolean delete(String key) {
        return number(gate.make(DELETE, List.of(key))) > 0;
    }

    /**
     * Sets fields of a hash and leaves its others alone.
     *
     * @param key the hash
     * @param fields field to value
     */
    public void setFields(String key, Map<String, String> fields) {
        List<String> arguments = new ArrayList<>();
        fields.forEach((field, value) -> {
            arguments.add(field);
            arguments.add(value);
        });
        gate.make(SET_FIELDS, List.of(key), arguments.toArray(String[]::new));
    }

    /**
     * Deletes fields of a hash.
     *
     * @param key the hash
     * @param fields which
     * @return how many were there
     */
    public long deleteFields(String key, String... fields) {
        return number(gate.make(DELETE_FIELDS, List.of(key), fields));
    }

    /**
     * Runs a script of yours behind the check. It is the text that you would give to EVAL: it has {@code KEYS} and {@code ARGV} of its own and may return an
     * answer. Servers keep every script they have seen, so pass what varies as an argument and keep the text the same.
     *
     * @param lua the script
     * @param keys every key that it uses; on a Cluster all in the hash slot of what is checked
     * @param arguments its arguments
     * @return what it returned: text, {@link Long}, a list of such, or null for nil and false
     * @throws IllegalArgumentException if it does not compile, or a key is in another hash slot; nothing was written
     * @throws IllegalStateException if it failed; what it had written before stays
     */
    public @Nullable Object run(String lua, List<String> keys, String... arguments) {
        return gate.make(lua, keys, arguments);
    }

    private static long number(@Nullable Object answer) {
        return answer instanceof Long number ? number : 0;
    }
}
