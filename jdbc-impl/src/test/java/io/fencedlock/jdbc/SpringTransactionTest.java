package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.FenceMark;
import io.fencedlock.StaleTokenException;
import java.sql.SQLException;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Inside a transaction that a framework manages: the fence takes the connection that the framework bound to the thread. */
class SpringTransactionTest {
    private final JdbcFence fence = new JdbcFence();
    private final String resource = Marks.resource("spring");

    @ParameterizedTest
    @EnumSource
    void refusal_rollsTheFrameworksTransactionBack(Database db) throws Exception {
        String table = "posting_" + db.name().toLowerCase(Locale.ROOT);
        fence.createTable(db.pool());
        db.execute("DROP TABLE IF EXISTS " + table, "CREATE TABLE " + table + " (txt VARCHAR(50))");
        JdbcTemplate jdbc = new JdbcTemplate(db.pool());
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(db.pool()));

        transaction.executeWithoutResult(status -> post(db, jdbc, table, Marks.of(2), "kept"));
        assertThatThrownBy(
                        () -> transaction.executeWithoutResult(status -> post(db, jdbc, table, Marks.of(1), "refused")))
                .isInstanceOf(StaleTokenException.class);

        assertThat(jdbc.queryForList("SELECT txt FROM " + table, String.class)).containsExactly("kept");
        assertThat(fence.mark(db.pool(), resource).orElseThrow().token()).isEqualTo(2);
    }

    private void post(Database db, JdbcTemplate jdbc, String table, FenceMark mark, String text) {
        try {
            fence.enter(DataSourceUtils.getConnection(db.pool()), resource, mark);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        jdbc.update("INSERT INTO " + table + " VALUES (?)", text);
    }
}
