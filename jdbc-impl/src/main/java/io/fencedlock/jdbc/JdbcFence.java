package io.fencedlock.jdbc;

import io.fencedlock.FenceMark;
import io.fencedlock.Lease;
import io.fencedlock.LockName;
import io.fencedlock.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A fence in a SQL database: one row for each resource remembers the highest token accepted. {@link #enter} locks and raises that row
 * inside the caller's own transaction, so the mark and whatever else the transaction writes become visible together or not at all. Tables
 * that exist already are protected without a new column.
 *
 * <p>For PostgreSQL, MariaDB and H2, at READ COMMITTED and above; for MySQL the statements are the same as for MariaDB. Enter the fence <em>before any other
 * statement</em> of the transaction: what the transaction has read before may be older than the last write under the fence. Where a
 * database would go on reading that older state (REPEATABLE READ and above) this is found out, and the transaction has to be repeated
 * (SQLState 40001).
 *
 * <p>When the fence refuses, roll the transaction back. Guard a resource by one lock name: tokens of different names do not compare.
 *
 * <p>Immutable and thread-safe; holds no connection. The table is {@code fencedlock_fence} unless another name is given; {@link #createTable} makes it,
 * and the resource files {@code io/fencedlock/jdbc/fence-*.sql} are there for migration tools. A resource has the rules of {@link
 * LockName}; no argument may be null.
 */
public final class JdbcFence {

    /** The name of the table unless another one is chosen. */
    public static final String DEFAULT_TABLE = "fencedlock_fence";

    private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);

    private final String table;
    private final Duration lockLimit;
    private final FenceRows rows;

    /** Makes a fence on the default table that waits at most 10 s for a row. */
    public JdbcFence() {
        this(DEFAULT_TABLE, DEFAULT_LIMIT);
    }

    private JdbcFence(String table, Duration lockLimit) {
        this.table = Sql.name("a table's name", table);
        this.lockLimit = lockLimit;
        this.rows = new FenceRows(table);
    }

    /**
     * Chooses another table.
     *
     * @param name letters, digits and underscores, with a schema and a dot before it if need be
     * @return the changed copy
     * @throws IllegalArgumentException if the name holds anything else
     */
    public JdbcFence withTable(String name) {
        return new JdbcFence(name, lockLimit);
    }

    /**
     * Limits the wait for the row while another transaction holds it. The connection's own limit is in force again afterwards. MariaDB
     * counts whole seconds: the limit is rounded up.
     *
     * @param limit from 1 ms to 1 day
     * @return the changed copy
     * @throws IllegalArgumentException if the limit is outside
     */
    public JdbcFence withLockLimit(Duration limit) {
        if (limit.toMillis() < 1 || limit.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a limit on row locks is from 1 ms to 1 day, found " + limit);
        }
        return new JdbcFence(table, limit);
    }

    /**
     * Creates the table unless it exists. On a connection and in a transaction of its own.
     *
     * @param dataSource where
     * @throws SQLException if the database refused
     */
    public void createTable(DataSource dataSource) throws SQLException {
        Schema.create(dataSource, "fence", table);
    }

    /**
     * Enters the fence with a lease's token; see {@link #enter(Connection, String, FenceMark)}.
     *
     * @param connection in a transaction
     * @param resource what is to be written
     * @param lease the writer's
     * @throws SQLException if a statement failed
     */
    public void enter(Connection connection, String resource, Lease lease) throws SQLException {
        enter(connection, resource, lease.mark());
    }

    /**
     * Enters the fence: locks the resource's row until the transaction ends, checks the token and raises the mark. Blocks while another
     * transaction is inside, up to the limit. A repeat by the same holder passes.
     *
     * @param connection in a transaction that has run no other statement yet
     * @param resource what is to be written
     * @param mark the writer's, from {@link Lease#mark()}
     * @throws StaleTokenException if a newer token was accepted before; nothing was written, roll back
     * @throws IllegalStateException if the connection commits by itself: the row's lock would not outlive the check
     * @throws java.sql.SQLTimeoutException if the row was not had within the limit; roll back
     * @throws SQLException if a statement failed; with SQLState class 40 (or MariaDB's 1213) roll back and repeat the transaction
     */
    public void enter(Connection connection, String resource, FenceMark mark) throws SQLException {
        FenceMark found = lock(connection, resource);
        if (found != null && !found.admits(mark)) {
            throw new StaleTokenException(resource, mark.token(), found.token());
        }
        rows.write(connection, resource, mark);
    }

    private @Nullable FenceMark lock(Connection connection, String resource) throws SQLException {
        String checked = new LockName(resource).value();
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the fence of " + resource
                            + " needs a transaction, and this connection commits after each statement: call setAutoCommit(false)");
        }
        String complaint = "the fence of " + resource + " was not entered within " + lockLimit.toMillis()
                + " ms: another transaction is inside";
        return new RowLockLimit(Dialect.of(connection), connection, lockLimit)
                .during(complaint, () -> rows.lock(connection, checked))
                .mark()
                .orElse(null);
    }

    /**
     * Does work under the fence of the lease's own lock name; see {@link #inFence(DataSource, String, FenceMark, SqlWork)}.
     *
     * @param <T> what the work answers
     * @param dataSource where
     * @param lease the writer's
     * @param work what to do
     * @return the work's answer
     * @throws SQLException if a statement failed
     */
    public <T> T inFence(DataSource dataSource, Lease lease, SqlWork<T> work) throws SQLException {
        return inFence(dataSource, lease.grant().name().value(), lease.mark(), work);
    }

    /**
     * Does work under the fence of a resource; see {@link #inFence(DataSource, String, FenceMark, SqlWork)}.
     *
     * @param <T> what the work answers
     * @param dataSource where
     * @param resource what is to be written
     * @param lease the writer's
     * @param work what to do
     * @return the work's answer
     * @throws SQLException if a statement failed
     */
    public <T> T inFence(DataSource dataSource, String resource, Lease lease, SqlWork<T> work) throws SQLException {
        return inFence(dataSource, resource, lease.mark(), work);
    }

    /**
     * Does work in a transaction of its own: takes a connection, enters the fence, runs the work, commits, and gives the connection back.
     * When the database undoes the transaction for its own reasons (deadlock, serialization failure) all of that is repeated, up to 20
     * times. Whatever fails, the transaction is rolled back.
     *
     * @param <T> what the work answers
     * @param dataSource where
     * @param resource what is to be written
     * @param mark the writer's
     * @param work what to do; it may run several times
     * @return the work's answer
     * @throws StaleTokenException if a newer token was accepted before; nothing was written
     * @throws io.fencedlock.BackendUnavailableException if the connection was lost before the commit; nothing was written
     * @throws io.fencedlock.OutcomeUnknownException if the connection was lost during the commit. Ask the database what stands there before
     *     repeating, or make the work harmless to repeat ({@link RunOnce})
     * @throws SQLException if a statement failed for another reason; nothing was written
     */
    public <T> T inFence(DataSource dataSource, String resource, FenceMark mark, SqlWork<T> work) throws SQLException {
        return new OwnTransaction(dataSource).run(connection -> {
            enter(connection, resource, mark);
            return work.run(connection);
        });
    }

    /**
     * Raises the mark without a write (FEN-3). Called before reading what a write will be computed from, it closes the gap between the
     * grant and the first write, in which an older holder's write would still pass. In a transaction of its own.
     *
     * @param dataSource where
     * @param resource what will be written
     * @param mark the holder's
     * @throws StaleTokenException if a newer token was accepted before
     * @throws SQLException if a statement failed; the errors of {@link #inFence(DataSource, String, FenceMark, SqlWork)}
     */
    public void advance(DataSource dataSource, String resource, FenceMark mark) throws SQLException {
        inFence(dataSource, resource, mark, connection -> true);
    }

    /**
     * Raises the mark for an operator: afterwards only tokens above the number pass, whoever their holder is. A higher mark stays as it
     * is. For a lock whose store lost its counter, and to shut out everybody up to a token.
     *
     * @param dataSource where
     * @param resource what is guarded
     * @param token positive
     * @return the mark afterwards
     * @throws SQLException if a statement failed
     */
    public FenceMark raise(DataSource dataSource, String resource, long token) throws SQLException {
        FenceMark raised = new FenceMark(token, null);
        return new OwnTransaction(dataSource).run(connection -> {
            FenceMark found = lock(connection, resource);
            if (found != null && found.token() > token) {
                return found;
            }
            rows.write(connection, resource, raised);
            return raised;
        });
    }

    /**
     * The mark of a resource. Does not wait for transactions that are inside the fence.
     *
     * @param dataSource where
     * @param resource what is guarded
     * @return the highest mark committed, empty if there was none
     * @throws SQLException if a statement failed
     */
    public Optional<FenceMark> mark(DataSource dataSource, String resource) throws SQLException {
        String checked = new LockName(resource).value();
        return new OwnTransaction(dataSource).run(connection -> rows.read(connection, checked));
    }

    /**
     * Lists marks in the order of their resources' UTF-8 bytes.
     *
     * @param dataSource where
     * @param after only resources behind this one; empty text for the first page
     * @param limit at most so many, at least 1
     * @return the marks
     * @throws SQLException if a statement failed
     */
    public List<StoredMark> marks(DataSource dataSource, String after, int limit) throws SQLException {
        if (limit < 1) {
            throw new IllegalArgumentException("a page has at least 1 mark, found " + limit);
        }
        return new OwnTransaction(dataSource).run(connection -> rows.list(connection, after, limit));
    }

    /**
     * Deletes the marks of resources that nobody has entered for a time (FEN-5). A resource without a mark refuses nobody: choose the time longer than any
     * holder can possibly pause and still wake up, days rather than minutes.
     *
     * @param dataSource where
     * @param unusedFor at least 1 s; fractions of a second are rounded up
     * @return how many were deleted
     * @throws SQLException if a statement failed
     */
    public int expire(DataSource dataSource, Duration unusedFor) throws SQLException {
        if (unusedFor.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a mark lives at least 1 s after its last use, found " + unusedFor);
        }
        long seconds = unusedFor.plusNanos(999_999_999).toSeconds();
        return new OwnTransaction(dataSource).run(connection -> rows.expire(connection, seconds));
    }

    /**
     * Deletes a resource's mark. For tests and operators: a removed mark refuses nobody. Without effect if there is none.
     *
     * @param dataSource where
     * @param resource what is guarded
     * @throws SQLException if a statement failed
     */
    public void remove(DataSource dataSource, String resource) throws SQLException {
        String checked = new LockName(resource).value();
        new OwnTransaction(dataSource).run(connection -> {
            rows.remove(connection, checked);
            return true;
        });
    }
}
