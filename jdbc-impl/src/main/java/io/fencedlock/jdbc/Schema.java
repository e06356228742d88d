package io.fencedlock.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The tables, as resource files that can also be given to a migration tool. */
final class Schema {
    private Schema() {}

    /** Creates a table unless it is there. Outside of any transaction of the user's. */
    static void create(DataSource dataSource, String file, String table) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            String ddl = ddl(file, Dialect.of(connection)).replace("fencedlock_" + file, table);
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(true);
            try {
                execute(connection, ddl);
            } finally {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    /** Two sessions that create one table at once: PostgreSQL lets one of them fail in spite of IF NOT EXISTS. */
    private static void execute(Connection connection, String ddl) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try {
                statement.execute(ddl);
            } catch (SQLException e) {
                if (!SqlFailure.isDuplicate(e)) {
                    throw e;
                }
                statement.execute(ddl);
            }
        }
    }

    static String ddl(String file, Dialect dialect) {
        String name = file + "-" + dialect.suffix() + ".sql";
        try (InputStream in = Schema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing in the jar of fencedlock-jdbc");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
