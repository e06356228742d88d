package io.fencedlock.jdbc;

import io.fencedlock.LockName;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Does something once for each idempotency key, and gives every later caller the stored result of the first. Needs no lock: the key's row
 * makes callers take turns.
 *
 * <p>Two forms. What is done <em>in the database</em> is done in the transaction that records it: after a crash both are there or neither is.
 * What is done <em>elsewhere</em> (mail, payment) cannot be: after a crash between effect and record it is done again, with the same key. Its receiver has to
 * know the key and answer the second request like the first, as payment services do; then it has happened once.
 *
 * <p>Immutable and thread-safe. A key has the rules of a {@link LockName}; no argument may be null. The table is {@code fencedlock_once}.
 */
public final class RunOnce {
    private static final String DEFAULT_TABLE = "fencedlock_once";

    private final String table;
    private final Duration lockLimit;

    /**
     * An effect outside of the database.
     */
    @FunctionalInterface
    public interface Effect {
        /**
         * Causes the effect.
         *
         * @param idempotencyKey to be passed on to the receiver
         * @return the result, to be stored for later callers
         */
        String cause(String idempotencyKey);
    }

    private record Once(boolean done, String result) {
        static Once read(ResultSet row) throws SQLException {
            return new Once(row.getBoolean(1), Objects.requireNonNullElse(row.getString(2), ""));
        }
    }

    /** Uses the default table; waits at most 60 s for another caller with the same key. */
    public RunOnce() {
        this(DEFAULT_TABLE, Duration.ofSeconds(60));
    }

    private RunOnce(String table, Duration lockLimit) {
        this.table = Sql.name("a table's name", table);
        this.lockLimit = lockLimit;
    }

    /**
     * Chooses another table.
     *
     * @param name letters, digits and underscores, with a schema and a dot before it if need be
     * @return the changed copy
     */
    public RunOnce withTable(String name) {
        return new RunOnce(name, lockLimit);
    }

    /**
     * Limits the wait for another caller with the same key. MariaDB rounds up to whole seconds.
     *
     * @param limit at least 1 ms
     * @return the changed copy
     */
    public RunOnce withLockLimit(Duration limit) {
        if (limit.toMillis() < 1) {
            throw new IllegalArgumentException("a limit on row locks is at least 1 ms, found " + limit);
        }
        return new RunOnce(table, limit);
    }

    /**
     * Creates the table unless it exists.
     *
     * @param dataSource where
     * @throws SQLException if the database refused
     */
    public void createTable(DataSource dataSource) throws SQLException {
        Schema.create(dataSource, "once", table);
    }

    /**
     * Does work of this database once, in a transaction of its own, which is repeated after a deadlock or a serialization failure. A second caller waits for
     * the first.
     *
     * @param dataSource where
     * @param key the idempotency key
     * @param work writes in the transaction, and answers the result to store; may run several times, of which one is committed
     * @return the result: this work's, or that of the caller who was first
     * @throws SQLException if a statement failed; nothing was written
     */
    public String inDatabase(DataSource dataSource, String key, SqlWork<String> work) throws SQLException {
        return new OwnTransaction(dataSource)
                .<Once>run(connection -> new Once(true, inDatabase(connection, key, work)))
                .result();
    }

    /**
     * Does work of this database once, in the caller's transaction.
     *
     * @param connection in a transaction
     * @param key the idempotency key
     * @param work writes in the transaction, and answers the result to store
     * @return the result: this work's, or that of the caller who was first
     * @throws IllegalStateException if the connection commits by itself
     * @throws SQLException if a statement failed: roll back
     */
    public String inDatabase(Connection connection, String key, SqlWork<String> work) throws SQLException {
        Once once = lock(connection, key);
        return once.done() ? once.result() : record(connection, key, work.run(connection));
    }

    /**
     * Causes an effect elsewhere once for whoever passes the key on. That it is begun is committed first; the key's row stays locked, and a connection in use,
     * while the effect runs.
     *
     * @param dataSource where the record stands
     * @param key the idempotency key
     * @param effect what to do; it runs again, with the same key, if it was begun and its result never recorded
     * @return the result: this effect's, or that of the caller who was first
     * @throws SQLException if a statement failed: the effect may have happened, repeat with the same key
     */
    public String elsewhere(DataSource dataSource, String key, Effect effect) throws SQLException {
        OwnTransaction transaction = new OwnTransaction(dataSource);
        Once before = transaction.run(connection -> lock(connection, key));
        return before.done() ? before.result() : inDatabase(dataSource, key, connection -> effect.cause(key));
    }

    /**
     * The keys whose effect was begun elsewhere and is not recorded: running now, or to be run again after a crash.
     *
     * @param dataSource where
     * @param limit at most so many
     * @return the keys
     * @throws SQLException if a statement failed
     */
    public List<String> unfinished(DataSource dataSource, int limit) throws SQLException {
        return new OwnTransaction(dataSource)
                .run(connection -> Sql.list(
                        connection,
                        "SELECT id FROM " + table + " WHERE done = FALSE ORDER BY id LIMIT ?",
                        row -> new String(row.getBytes(1), StandardCharsets.UTF_8),
                        limit));
    }

    /**
     * Forgets results that are older than a time. A key that is forgotten may be run again: choose longer than anybody repeats a request.
     *
     * @param dataSource where
     * @param olderThan at least 1 s
     * @return how many were deleted
     * @throws SQLException if a statement failed
     */
    public int forget(DataSource dataSource, Duration olderThan) throws SQLException {
        if (olderThan.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a result lives at least 1 s, found " + olderThan);
        }
        return new OwnTransaction(dataSource)
                .run(connection -> Sql.update(
                        connection,
                        "DELETE FROM " + table + " WHERE done = TRUE AND "
                                + Dialect.of(connection).olderThanSeconds(),
                        olderThan.plusNanos(999_999_999).toSeconds()));
    }

    private Once lock(Connection connection, String key) throws SQLException {
        byte[] id = id(key);
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "running " + key
                            + " once needs a transaction, and this connection commits after each statement: call setAutoCommit(false)");
        }
        Optional<Once> row = new RowLockLimit(Dialect.of(connection), connection, lockLimit)
                .during(
                        "another caller with the key " + key + " was not done within " + lockLimit.toMillis() + " ms",
                        () -> RowLock.lock(
                                connection,
                                "SELECT done, result FROM " + table + " WHERE id = ?",
                                "INSERT INTO " + table + " (id, done) VALUES (?, FALSE)",
                                Once::read,
                                id));
        return row.orElseThrow(() -> SqlFailure.oldSnapshot(key));
    }

    private String record(Connection connection, String key, String result) throws SQLException {
        Sql.update(
                connection,
                "UPDATE " + table + " SET done = TRUE, result = ?, changed_at = CURRENT_TIMESTAMP WHERE id = ?",
                result,
                id(key));
        return result;
    }

    private static byte[] id(String key) {
        return new LockName(key).value().getBytes(StandardCharsets.UTF_8);
    }
}
