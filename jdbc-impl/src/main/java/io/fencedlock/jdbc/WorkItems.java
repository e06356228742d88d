package io.fencedlock.jdbc;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import io.fencedlock.StaleTokenException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Work divided among instances: each item has one owner at a time, who claims it by a conditional UPDATE for a limited time. Every claim
 * raises the item's own fence, and {@link #complete} asks it: an owner who paused past the time and was followed by another one completes
 * nothing. Needs no lock.
 *
 * <p>Immutable and thread-safe. An item has the rules of a {@link LockName}; no argument may be null. The table is {@code fencedlock_work}.
 * Times are by the database's clock.
 */
public final class WorkItems {
    private static final String DEFAULT_TABLE = "fencedlock_work";

    private final String table;

    /** Uses the default table. */
    public WorkItems() {
        this(DEFAULT_TABLE);
    }

    /**
     * Uses another table.
     *
     * @param table letters, digits and underscores, with a schema and a dot before it if need be
     */
    public WorkItems(String table) {
        this.table = Sql.name("a table's name", table);
    }

    /**
     * Creates the table unless it exists.
     *
     * @param dataSource where
     * @throws SQLException if the database refused
     */
    public void createTable(DataSource dataSource) throws SQLException {
        Schema.create(dataSource, "work", table);
    }

    /**
     * Adds an item unless it is there, also when it is done.
     *
     * @param connection with or without a transaction
     * @param item the item
     * @return whether it was added
     * @throws SQLException if the statement failed
     */
    public boolean add(Connection connection, String item) throws SQLException {
        return Sql.insertIfNew(
                connection, "INSERT INTO " + table + " (item, fence, done) VALUES (?, 0, FALSE)", (Object) key(item));
    }

    /**
     * Claims one item. In a transaction of its own.
     *
     * @param dataSource where
     * @param item the item
     * @param owner who claims; a new id for each claim
     * @param time how long the claim stands, at least 1 s; whole seconds count
     * @return the claim; empty if the item is claimed, done, or not there
     * @throws SQLException if a statement failed; nothing was claimed
     */
    public Optional<WorkClaim> claim(DataSource dataSource, String item, HolderId owner, Duration time)
            throws SQLException {
        long seconds = seconds(time);
        byte[] key = key(item);
        return new OwnTransaction(dataSource).run(connection -> claim(connection, key, owner, seconds));
    }

    /**
     * Claims the first item that is free, passing over those that others claim at this moment. In a transaction of its own.
     *
     * @param dataSource where
     * @param owner who claims; a new id for each claim
     * @param time how long the claim stands, at least 1 s; whole seconds count
     * @return the claim; empty if no item is free
     * @throws SQLException if a statement failed; nothing was claimed
     */
    public Optional<WorkClaim> claimNext(DataSource dataSource, HolderId owner, Duration time) throws SQLException {
        long seconds = seconds(time);
        return new OwnTransaction(dataSource).run(connection -> {
            String next = "SELECT item FROM " + table + " WHERE " + free(connection)
                    + " ORDER BY item LIMIT 1 FOR UPDATE SKIP LOCKED";
            Optional<byte[]> key = Sql.one(connection, next, row -> row.getBytes(1));
            return key.isEmpty() ? Optional.empty() : claim(connection, key.get(), owner, seconds);
        });
    }

    private Optional<WorkClaim> claim(Connection connection, byte[] key, HolderId owner, long seconds)
            throws SQLException {
        String update = "UPDATE " + table + " SET fence = fence + 1, fence_holder = ?, claimed_until = "
                + Dialect.of(connection).secondsFromNow() + " WHERE item = ? AND " + free(connection);
        if (Sql.update(connection, update, owner.value(), seconds, key) == 0) {
            return Optional.empty();
        }
        long fence = Sql.one(
                        connection, "SELECT fence FROM " + table + " WHERE item = ?", row -> row.getLong(1), (Object)
                                key)
                .orElseThrow();
        return Optional.of(new WorkClaim(new String(key, StandardCharsets.UTF_8), new FenceMark(fence, owner)));
    }

    private static String free(Connection connection) throws SQLException {
        return "done = FALSE AND (claimed_until IS NULL OR claimed_until < "
                + Dialect.of(connection).now() + ")";
    }

    /**
     * Marks an item as done, in the transaction that writes what the work has yielded: call it first. An owner whose time is over still
     * completes if nobody has claimed the item since.
     *
     * @param connection in a transaction
     * @param claim the owner's claim
     * @throws StaleTokenException if somebody else claimed the item since: roll back
     * @throws IllegalStateException if the connection commits by itself
     * @throws SQLException if a statement failed or the item is not there
     */
    public void complete(Connection connection, WorkClaim claim) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "completing " + claim.item()
                            + " needs a transaction, and this connection commits after each statement: call setAutoCommit(false)");
        }
        finish(connection, claim, "done = TRUE, claimed_until = NULL");
    }

    /**
     * Gives an item back for others to claim. Without a transaction too.
     *
     * @param connection with or without a transaction
     * @param claim the owner's claim
     * @throws StaleTokenException if somebody else claimed the item since
     * @throws SQLException if a statement failed or the item is not there
     */
    public void giveBack(Connection connection, WorkClaim claim) throws SQLException {
        finish(connection, claim, "claimed_until = NULL");
    }

    private void finish(Connection connection, WorkClaim claim, String assignments) throws SQLException {
        HolderId owner = claim.mark().holder();
        String update =
                "UPDATE " + table + " SET " + assignments + " WHERE item = ? AND fence = ? AND fence_holder = ?";
        int changed = Sql.update(
                connection, update, key(claim.item()), claim.mark().token(), owner == null ? "" : owner.value());
        if (changed == 0) {
            new FenceColumns().refused(connection, table, "item", key(claim.item()), claim.item(), claim.mark());
        }
    }

    private static long seconds(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a claim stands at least 1 s, found " + time);
        }
        return time.toSeconds();
    }

    private static byte[] key(String item) {
        return new LockName(item).value().getBytes(StandardCharsets.UTF_8);
    }
}
