package io.fencedlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Locks a row until the transaction ends, and inserts it first where there is none. */
final class RowLock {
    /** For a row that is deleted again and again while it is being locked. */
    private static final int TRIES = 5;

    private RowLock() {}

    /**
     * Locks the row with a key.
     *
     * @param select finds it by the one parameter, the key
     * @param insert makes it, with the key as its one parameter
     * @return the row; empty if it exists and this transaction, which began before that, cannot see it
     */
    static <T> Optional<T> lock(Connection connection, String select, String insert, Sql.Row<T> row, byte[] key)
            throws SQLException {
        if (Dialect.of(connection) == Dialect.MARIADB) {
            return onMariaDb(connection, select, insert, row, key);
        }
        for (int tries = 1; ; tries++) {
            Optional<T> locked = Sql.one(connection, select + " FOR UPDATE", row, (Object) key);
            if (locked.isPresent() || tries == TRIES) {
                return locked;
            }
            Sql.insertIfNew(connection, insert, (Object) key);
        }
    }

    /**
     * To look for a missing row first would lock the gap that it stands in; gap locks do not exclude each other, and two transactions that
     * both hold one cannot both insert. And an INSERT that merely fails would leave a shared lock on the row, with the same end.
     */
    private static <T> Optional<T> onMariaDb(
            Connection connection, String select, String insert, Sql.Row<T> row, byte[] key) throws SQLException {
        String column = insert.substring(insert.indexOf('(') + 1).split("[,)]", 2)[0];
        Sql.update(connection, insert + " ON DUPLICATE KEY UPDATE " + column + " = " + column, (Object) key);
        return Sql.one(connection, select + " FOR UPDATE", row, (Object) key);
    }
}
