package io.fencedlock.jdbc;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements on the table of marks. */
final class FenceRows {
    private static final String COLUMNS = "SELECT token, holder, entries";

    private final String table;

    FenceRows(String table) {
        this.table = table;
    }

    /** A row's content; token 0 is that of a row which this transaction has just made. */
    record Row(long token, @Nullable String holder, long entries) {
        static Row read(ResultSet row) throws SQLException {
            return new Row(row.getLong(1), row.getString(2), row.getLong(3));
        }

        Optional<FenceMark> mark() {
            return token == 0
                    ? Optional.empty()
                    : Optional.of(new FenceMark(token, holder == null ? null : new HolderId(holder)));
        }
    }

    /** Locks the row until the transaction ends, and makes it first where there is none. */
    Row lock(Connection connection, String resource) throws SQLException {
        byte[] key = key(resource);
        Optional<Row> row = RowLock.lock(connection, select(), insert(), Row::read, key);
        if (row.isEmpty()) {
            throw SqlFailure.oldSnapshot(resource);
        }
        if (Dialect.of(connection).readsOldStates(connection.getTransactionIsolation())
                && !row.equals(Sql.one(connection, select(), Row::read, (Object) key))) {
            throw SqlFailure.oldSnapshot(resource);
        }
        return row.get();
    }

    private String select() {
        return COLUMNS + " FROM " + table + " WHERE resource = ?";
    }

    private String insert() {
        return "INSERT INTO " + table + " (resource, token, holder, entries) VALUES (?, 0, NULL, 0)";
    }

    /** Also where the mark stays the same: a transaction with an older snapshot must find the row changed. */
    void write(Connection connection, String resource, FenceMark mark) throws SQLException {
        HolderId holder = mark.holder();
        Sql.update(
                connection,
                "UPDATE " + table
                        + " SET token = ?, holder = ?, entries = entries + 1, changed_at = CURRENT_TIMESTAMP"
                        + " WHERE resource = ?",
                mark.token(),
                holder == null ? null : holder.value(),
                key(resource));
    }

    Optional<FenceMark> read(Connection connection, String resource) throws SQLException {
        return Sql.one(connection, select(), Row::read, (Object) key(resource)).flatMap(Row::mark);
    }

    List<StoredMark> list(Connection connection, String after, int limit) throws SQLException {
        return Sql.list(
                connection,
                COLUMNS + ", resource, " + Dialect.of(connection).changedAtSeconds() + " FROM " + table
                        + " WHERE resource > ? ORDER BY resource LIMIT ?",
                FenceRows::stored,
                after.getBytes(StandardCharsets.UTF_8),
                limit);
    }

    private static StoredMark stored(ResultSet row) throws SQLException {
        return new StoredMark(
                new String(row.getBytes(4), StandardCharsets.UTF_8),
                Row.read(row).mark().orElseThrow(),
                row.getLong(3),
                instant(row.getBigDecimal(5)));
    }

    private static Instant instant(BigDecimal seconds) {
        return Instant.ofEpochSecond(0, seconds.movePointRight(9).longValue());
    }

    int expire(Connection connection, long seconds) throws SQLException {
        String condition = Dialect.of(connection).olderThanSeconds();
        return Sql.update(connection, "DELETE FROM " + table + " WHERE " + condition, seconds);
    }

    void remove(Connection connection, String resource) throws SQLException {
        Sql.update(connection, "DELETE FROM " + table + " WHERE resource = ?", (Object) key(resource));
    }

    private static byte[] key(String resource) {
        return resource.getBytes(StandardCharsets.UTF_8);
    }
}
