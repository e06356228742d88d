package io.fencedlock.jdbc;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The fence as two columns of the row that it guards, and the check as the condition of the UPDATE that writes it: one statement, also
 * on a connection that commits by itself. The columns: {@code fence BIGINT NOT NULL DEFAULT 0, fence_holder VARCHAR(32)}.
 *
 * <p>The UPDATE takes {@link #assignment()} among its assignments and {@link #condition()} in its WHERE, and when it changed no row,
 * {@link #refused} tells why. Immutable and thread-safe; nothing may be null.
 */
public final class FenceColumns {
    private final String fence;
    private final String holder;

    /** Names the columns {@code fence} and {@code fence_holder}. */
    public FenceColumns() {
        this("fence", "fence_holder");
    }

    /**
     * Names the columns.
     *
     * @param fence the token's column
     * @param holder the holder's column
     * @throws IllegalArgumentException if a name holds anything but letters, digits and underscores
     */
    public FenceColumns(String fence, String holder) {
        this.fence = Sql.name("a column's name", fence);
        this.holder = Sql.name("a column's name", holder);
    }

    /**
     * What the UPDATE sets beside the values.
     *
     * @return text with two parameters, bound by {@link #bindAssignment}
     */
    public String assignment() {
        return fence + " = ?, " + holder + " = ?";
    }

    /**
     * What the UPDATE asks beside the key.
     *
     * @return text with three parameters, bound by {@link #bindCondition}
     */
    public String condition() {
        return "(" + fence + " < ? OR (" + fence + " = ? AND " + holder + " = ?))";
    }

    /**
     * Binds the parameters of {@link #assignment()}.
     *
     * @param statement the UPDATE
     * @param index where they begin
     * @param mark the writer's, with a holder
     * @return the index after them
     * @throws SQLException if the driver refused
     */
    public int bindAssignment(PreparedStatement statement, int index, FenceMark mark) throws SQLException {
        return Sql.bind(statement, index, mark.token(), holderOf(mark));
    }

    /**
     * Binds the parameters of {@link #condition()}.
     *
     * @param statement the UPDATE
     * @param index where they begin
     * @param mark the writer's, with a holder
     * @return the index after them
     * @throws SQLException if the driver refused
     */
    public int bindCondition(PreparedStatement statement, int index, FenceMark mark) throws SQLException {
        return Sql.bind(statement, index, mark.token(), mark.token(), holderOf(mark));
    }

    /**
     * Sets a row's fence without writing anything else: the advance of this form.
     *
     * @param connection with or without a transaction
     * @param table the row's table
     * @param keyColumn the column of its key
     * @param key its key
     * @param mark the holder's
     * @throws StaleTokenException if the row has accepted a newer token
     * @throws SQLException if a statement failed or there is no such row
     */
    public void advance(Connection connection, String table, String keyColumn, Object key, FenceMark mark)
            throws SQLException {
        String update = "UPDATE " + Sql.name("a table's name", table) + " SET " + assignment() + " WHERE "
                + Sql.name("a column's name", keyColumn) + " = ? AND " + condition();
        String holderId = holderOf(mark);
        int changed = Sql.update(connection, update, mark.token(), holderId, key, mark.token(), mark.token(), holderId);
        if (changed == 0) {
            refused(connection, table, keyColumn, key, mark);
        }
    }

    /**
     * To be called when the UPDATE changed no row: throws what explains it. Returns only when the row would admit the mark, as it may
     * where a driver does not count rows that were set to what they held.
     *
     * @param connection the UPDATE's
     * @param table the row's table
     * @param keyColumn the column of its key
     * @param key its key
     * @param mark the writer's
     * @throws StaleTokenException if the row has accepted a newer token, with both tokens
     * @throws SQLException if a statement failed or there is no such row
     */
    public void refused(Connection connection, String table, String keyColumn, Object key, FenceMark mark)
            throws SQLException {
        refused(connection, table, keyColumn, key, table + " " + key, mark);
    }

    void refused(Connection connection, String table, String keyColumn, Object key, String resource, FenceMark mark)
            throws SQLException {
        String select = "SELECT " + fence + ", " + holder + " FROM " + Sql.name("a table's name", table) + " WHERE "
                + Sql.name("a column's name", keyColumn) + " = ?";
        Optional<FenceRows.Row> row =
                Sql.one(connection, select, found -> new FenceRows.Row(found.getLong(1), found.getString(2), 0), key);
        FenceMark accepted = row.orElseThrow(() -> new SQLException("there is no row " + resource, "02000"))
                .mark()
                .orElse(null);
        if (accepted != null && !accepted.admits(mark)) {
            throw new StaleTokenException(resource, mark.token(), accepted.token());
        }
    }

    private static String holderOf(FenceMark mark) {
        HolderId id = mark.holder();
        if (id == null) {
            throw new IllegalArgumentException(
                    "who writes has a holder, found a mark without one: token " + mark.token());
        }
        return id.value();
    }
}
