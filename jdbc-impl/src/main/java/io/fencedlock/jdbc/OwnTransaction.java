package io.fencedlock.jdbc;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.OutcomeUnknownException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction from begin to commit, repeated where the database undid it for its own reasons. */
final class OwnTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(OwnTransaction.class);
    private static final int TRIES = 20;
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private final DataSource dataSource;

    OwnTransaction(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    <T> T run(SqlWork<T> work) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                return once(work);
            } catch (SQLException | RuntimeException e) {
                if (tries == TRIES || !SqlFailure.isRepeatable(e)) {
                    throw e;
                }
            }
            pause(tries);
        }
    }

    /** At random: transactions that met in a deadlock would meet again. */
    private static void pause(int tries) {
        long longest = Math.min(LONGEST_PAUSE.toNanos(), Duration.ofMillis(1).toNanos() << tries);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
    }

    private <T> T once(SqlWork<T> work) throws SQLException {
        Connection connection = connect();
        try {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            T result;
            try {
                result = work.run(connection);
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(connection, autoCommit, e);
                throw e;
            }
            commit(connection, autoCommit);
            return result;
        } catch (SQLException e) {
            if (SqlFailure.isConnectionLost(e)) {
                throw noEffect(e);
            }
            throw e;
        } finally {
            close(connection);
        }
    }

    private Connection connect() throws SQLException {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            if (SqlFailure.isConnectionLost(e)) {
                throw noEffect(e);
            }
            throw e;
        }
    }

    /** Before the commit was asked for, a lost connection means that nothing was done: the database undoes the rest. */
    private static BackendUnavailableException noEffect(SQLException e) {
        return new BackendUnavailableException(
                "there is no connection to the database any more; the transaction was not committed", e);
    }

    private static void commit(Connection connection, boolean autoCommit) throws SQLException {
        try {
            connection.commit();
        } catch (SQLException e) {
            rollBack(connection, autoCommit, e);
            if (SqlFailure.isRefusedCommit(e)) {
                throw e;
            }
            throw new OutcomeUnknownException(
                    "the connection to the database was lost during the commit: the transaction may have been committed",
                    e);
        }
    }

    private static void rollBack(Connection connection, boolean autoCommit, Throwable failure) {
        try {
            connection.rollback();
            restore(connection, autoCommit);
        } catch (SQLException e) {
            failure.addSuppressed(e); // the connection is lost, and the transaction with it
        }
    }

    /** A pool may hand the connection to somebody who counts on it. */
    private static void restore(Connection connection, boolean autoCommit) throws SQLException {
        if (autoCommit) {
            connection.setAutoCommit(true);
        }
    }

    /** What a connection says while it is given back changes nothing about its transaction, which is over. */
    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("a connection could not be given back", e);
        }
    }
}
