package io.fencedlock.cli.replay;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Values in a database, behind the fence in a table. Thread-safe. */
final class JdbcRegister implements FencedRegister {
    private final DataSource database;
    private final JdbcFence fence = new JdbcFence();

    JdbcRegister(DataSource database) {
        this.database = database;
    }

    @Override
    public void write(String resource, FenceMark mark, String value) {
        try {
            fence.inFence(database, resource, mark, connection -> {
                put(connection, resource, value);
                return true;
            });
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public void writeUnfenced(String resource, String value) {
        try (Connection connection = database.getConnection()) {
            put(connection, resource, value);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    /** Writes a value, and raises its version. */
    static void put(Connection connection, String resource, String value) throws SQLException {
        String update = "UPDATE invoice SET content = ?, version = version + 1 WHERE name = ?";
        if (execute(connection, update, value, resource) == 0) {
            execute(connection, "INSERT INTO invoice (content, name, version) VALUES (?, ?, 1)", value, resource);
        }
    }

    @Override
    public Optional<String> read(String resource) {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("SELECT content FROM invoice WHERE name = ?")) {
            select.setString(1, resource);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public void advance(String resource, FenceMark mark) {
        try {
            fence.advance(database, resource, mark);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public Optional<FenceMark> mark(String resource) {
        try {
            return fence.mark(database, resource);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    @Override
    public void remove(String resource) {
        try (Connection connection = database.getConnection()) {
            execute(connection, "DELETE FROM invoice WHERE name = ?", resource);
            fence.remove(database, resource);
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private static int execute(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** The database is ours and always there: a failure ends the run. */
    static IllegalStateException failed(SQLException e) {
        return new IllegalStateException("the database of the replay failed: " + e.getMessage(), e);
    }

    @Override
    public void close() {}
}
