package io.fencedlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The conditional update: a row has a version, and an UPDATE names the version that it was computed from. Of two that were computed from
 * the same one only the first happens. Needs no lock. Immutable and thread-safe.
 */
public final class VersionedRows {
    private final String table;
    private final String keyColumn;
    private final String versionColumn;

    /**
     * Names the table and its columns: letters, digits and underscores.
     *
     * @param table the table
     * @param keyColumn the column of the key
     * @param versionColumn {@code BIGINT NOT NULL}
     */
    public VersionedRows(String table, String keyColumn, String versionColumn) {
        this.table = Sql.name("a table's name", table);
        this.keyColumn = Sql.name("a column's name", keyColumn);
        this.versionColumn = Sql.name("a column's name", versionColumn);
    }

    /**
     * The version of a row, to be read before or together with what the next values are computed from.
     *
     * @param connection with or without a transaction
     * @param key the row's key
     * @return the version, empty if there is no such row
     * @throws SQLException if the statement failed
     */
    public OptionalLong version(Connection connection, Object key) throws SQLException {
        String select = "SELECT " + versionColumn + " FROM " + table + " WHERE " + keyColumn + " = ?";
        return Sql.one(connection, select, row -> row.getLong(1), key)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /**
     * Updates a row if it still has the version, and raises the version by one.
     *
     * @param connection with or without a transaction
     * @param key the row's key
     * @param version what the values were computed from
     * @param values by column, in the order of the map; a value may be null
     * @return false if the row has another version by now, or there is none: read again, compute again
     * @throws SQLException if the statement failed
     */
    public boolean update(
            Connection connection, Object key, long version, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        StringBuilder update = new StringBuilder("UPDATE " + table + " SET ");
        List<@Nullable Object> parameters = new ArrayList<>();
        values.forEach((column, value) -> {
            update.append(Sql.name("a column's name", column)).append(" = ?, ");
            parameters.add(value);
        });
        update.append(versionColumn + " = " + versionColumn + " + 1 WHERE " + keyColumn + " = ? AND " + versionColumn
                + " = ?");
        parameters.add(key);
        parameters.add(version);
        return Sql.update(connection, update.toString(), parameters.toArray()) > 0;
    }
}
