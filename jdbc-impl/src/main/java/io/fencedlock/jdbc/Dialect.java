package io.fencedlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** What differs between the databases: some words of SQL, and how a wait for a row lock is limited. */
enum Dialect {
    POSTGRESQL(
            " ON CONFLICT DO NOTHING",
            "changed_at < CURRENT_TIMESTAMP - ? * INTERVAL '1 second'",
            "CURRENT_TIMESTAMP",
            "CURRENT_TIMESTAMP + ? * INTERVAL '1 second'",
            "EXTRACT(EPOCH FROM changed_at)"),
    /** MariaDB and MySQL. */
    MARIADB(
            "",
            "changed_at < CURRENT_TIMESTAMP(6) - INTERVAL ? SECOND",
            "CURRENT_TIMESTAMP(6)",
            "CURRENT_TIMESTAMP(6) + INTERVAL ? SECOND",
            "UNIX_TIMESTAMP(changed_at)"),
    H2(
            "",
            "changed_at < DATEADD(SECOND, - CAST(? AS BIGINT), CURRENT_TIMESTAMP)",
            "CURRENT_TIMESTAMP",
            "DATEADD(SECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)",
            "EXTRACT(EPOCH FROM changed_at)");

    private final String skipExisting;
    private final String olderThanSeconds;
    private final String now;
    private final String secondsFromNow;
    private final String changedAtSeconds;

    Dialect(String skipExisting, String olderThanSeconds, String now, String secondsFromNow, String changedAtSeconds) {
        this.skipExisting = skipExisting;
        this.olderThanSeconds = olderThanSeconds;
        this.now = now;
        this.secondsFromNow = secondsFromNow;
        this.changedAtSeconds = changedAtSeconds;
    }

    /** Drivers know the product without asking the server again. */
    static Dialect of(Connection connection) throws SQLException {
        String product = String.valueOf(connection.getMetaData().getDatabaseProductName());
        return switch (product) {
            case "PostgreSQL" -> POSTGRESQL;
            case "MariaDB", "MySQL" -> MARIADB;
            case "H2" -> H2;
            default ->
                throw new SQLException(
                        "fences are for PostgreSQL, MariaDB, MySQL and H2; this database calls itself " + product);
        };
    }

    /** The end of an INSERT that shall not fail where the row exists; empty where the failure harms no transaction and is caught. */
    String skipExisting() {
        return skipExisting;
    }

    /** A condition with one parameter. */
    String olderThanSeconds() {
        return olderThanSeconds;
    }

    String now() {
        return now;
    }

    /** changed_at as seconds since 1970, which no session's time zone touches. */
    String changedAtSeconds() {
        return changedAtSeconds;
    }

    /** An expression with one parameter. */
    String secondsFromNow() {
        return secondsFromNow;
    }

    /** The ending of this database's resource files. */
    String suffix() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether a plain SELECT may read an older state than a locking one does without the database noticing. PostgreSQL notices by itself,
     * and MariaDB's plain SELECT locks when SERIALIZABLE.
     */
    boolean readsOldStates(int isolation) {
        return switch (this) {
            case POSTGRESQL -> false;
            case MARIADB -> isolation == Connection.TRANSACTION_REPEATABLE_READ;
            case H2 ->
                isolation != Connection.TRANSACTION_READ_COMMITTED
                        && isolation != Connection.TRANSACTION_READ_UNCOMMITTED;
        };
    }
}
