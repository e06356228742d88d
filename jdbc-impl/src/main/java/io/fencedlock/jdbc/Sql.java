package io.fencedlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Short forms of JDBC for statements with parameters. */
final class Sql {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})?");

    /** Makes an object of the present row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private Sql() {}

    /** A name that may stand in a statement as it is. */
    static String name(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(what
                    + " is letters, digits and underscores, perhaps after a schema and a dot, found \"" + name + "\"");
        }
        return name;
    }

    static int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 1, parameters);
            return statement.executeUpdate();
        }
    }

    static <T> Optional<T> one(Connection connection, String sql, Row<T> row, @Nullable Object... parameters)
            throws SQLException {
        return list(connection, sql, row, parameters).stream().findFirst();
    }

    static <T> List<T> list(Connection connection, String sql, Row<T> row, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 1, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                List<T> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(row.read(rows));
                }
                return found;
            }
        }
    }

    /** Binds from an index on and answers the next one. */
    static int bind(PreparedStatement statement, int index, @Nullable Object... parameters) throws SQLException {
        int next = index;
        for (Object parameter : parameters) {
            if (parameter instanceof byte[] bytes) {
                statement.setBytes(next, bytes);
            } else if (parameter instanceof Long number) {
                statement.setLong(next, number);
            } else if (parameter instanceof String text) {
                statement.setString(next, text);
            } else {
                statement.setObject(next, parameter);
            }
            next++;
        }
        return next;
    }

    /**
     * Inserts a row unless one with its key exists. Waits for a transaction that has inserted it and is not over.
     *
     * @return whether it was inserted
     */
    static boolean insertIfNew(Connection connection, String insert, @Nullable Object... parameters)
            throws SQLException {
        try {
            return update(connection, insert + Dialect.of(connection).skipExisting(), parameters) > 0;
        } catch (SQLException e) {
            // MariaDB and H2: the statement has failed, the transaction lives on.
            if (SqlFailure.isDuplicate(e) && Dialect.of(connection) != Dialect.POSTGRESQL) {
                return false;
            }
            throw e;
        }
    }
}
