package io.fencedlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The unique constraint: of all who insert a row with the same key only the first succeeds, and the others are told, without an error
 * that spoils their transaction. Needs no lock. Immutable and thread-safe.
 */
public final class UniqueRows {
    private final String table;

    /**
     * Names the table.
     *
     * @param table has a primary key or a unique constraint
     */
    public UniqueRows(String table) {
        this.table = Sql.name("a table's name", table);
    }

    /**
     * Inserts a row unless one exists that a unique constraint forbids beside it. Waits for a transaction that has inserted such a row
     * and is not over.
     *
     * @param connection with or without a transaction
     * @param values by column, in the order of the map; a value may be null
     * @return whether the row was inserted
     * @throws SQLException if the statement failed for another reason
     */
    public boolean insertIfNew(Connection connection, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        String columns = values.keySet().stream()
                .map(column -> Sql.name("a column's name", column))
                .collect(Collectors.joining(", "));
        String marks = values.keySet().stream().map(column -> "?").collect(Collectors.joining(", "));
        String insert = "INSERT INTO " + table + " (" + columns + ") VALUES (" + marks + ")";
        return Sql.insertIfNew(connection, insert, values.values().toArray());
    }
}
