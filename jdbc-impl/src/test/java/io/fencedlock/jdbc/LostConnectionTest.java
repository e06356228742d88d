package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import io.fencedlock.OutcomeUnknownException;
import io.fencedlock.servers.Data;
import io.fencedlock.servers.Server;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server dies before, and the answer is lost during, the commit. */
class LostConnectionTest {
    private final JdbcFence fence = new JdbcFence();
    private final String resource = Marks.resource("lost");

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void serverKilledInsideTheFence_nothingWasDoneAndThePoolGoesOn(Database db) throws Exception {
        try (Server server = db.throwAwayServer();
                HikariDataSource pool = Database.newPool(db.url(server), null)) {
            fence.createTable(pool);
            FenceMark one = Marks.of(1);
            fence.advance(pool, resource, one);
            assertThatThrownBy(() -> fence.inFence(pool, resource, Marks.of(2), connection -> {
                        server.kill();
                        return Sql.update(connection, "DELETE FROM fencedlock_fence");
                    }))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("not committed");
            server.restart(Data.KEEP);
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> fence.mark(pool, resource).isPresent());
            assertThat(fence.mark(pool, resource)).contains(one);
            fence.advance(pool, resource, Marks.of(3));
        }
    }

    @ParameterizedTest
    @EnumSource
    void answerToTheCommitLost_isUnknown(Database db) throws Exception {
        fence.createTable(db.pool());
        FenceMark one = Marks.of(1);
        DataSource losesAnswers = losingCommitAnswers(db.pool());
        assertThatThrownBy(() -> fence.advance(losesAnswers, resource, one))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("may have been committed");
        assertThat(fence.mark(db.pool(), resource)).contains(one);
        fence.advance(db.pool(), resource, one);
    }

    /** Commits, and says that the connection is lost. */
    private static DataSource losingCommitAnswers(DataSource real) {
        return (DataSource) proxy(DataSource.class, real, "getConnection", () -> {
            Connection connection = real.getConnection();
            return proxy(Connection.class, connection, "commit", () -> {
                connection.commit();
                throw new SQLException("connection reset", "08006");
            });
        });
    }

    private interface Instead {
        Object call() throws SQLException;
    }

    private static Object proxy(Class<?> type, Object real, String method, Instead instead) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, arguments) -> {
            if (called.getName().equals(method) && arguments == null) {
                return instead.call();
            }
            try {
                return called.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }
}
