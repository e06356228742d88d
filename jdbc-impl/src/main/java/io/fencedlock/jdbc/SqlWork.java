package io.fencedlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What is done in one transaction. It may run several times: the transaction is repeated after a deadlock or a serialization failure.
 *
 * @param <T> what it answers
 */
@FunctionalInterface
public interface SqlWork<T> {

    /**
     * Does the work. Neither commits nor rolls back nor closes.
     *
     * @param connection in the transaction
     * @return the answer
     * @throws SQLException if a statement failed; the transaction is rolled back
     */
    T run(Connection connection) throws SQLException;
}
