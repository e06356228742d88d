package io.fencedlock.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.ServerOptions;
import io.fencedlock.servers.Servers;
import io.fencedlock.servers.Store;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** The databases of the tests: real servers, started once for this JVM, and H2 inside it. */
enum Database {
    POSTGRESQL,
    MARIADB,
    H2;

    /** The levels at which fences are promised to work. */
    enum Isolation {
        READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
        REPEATABLE_READ(Connection.TRANSACTION_REPEATABLE_READ),
        SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

        private final int level;

        Isolation(int level) {
            this.level = level;
        }

        int level() {
            return level;
        }
    }

    private static final Map<String, HikariDataSource> POOLS = new ConcurrentHashMap<>();
    private static final Map<Database, Server> SERVERS = new ConcurrentHashMap<>();

    String url() {
        return this == H2 ? "jdbc:h2:mem:fences;DB_CLOSE_DELAY=-1" : url(server());
    }

    private Server server() {
        return SERVERS.computeIfAbsent(this, db -> Servers.start(Store.valueOf(name())));
    }

    /** A server of its own, for a test that harms it. */
    Server throwAwayServer() {
        return Servers.start(Store.valueOf(name()), ServerOptions.defaults().throwAway());
    }

    String url(Server server) {
        String url = "jdbc:" + server.url();
        if (!server.canBeHarmed()) {
            return url;
        }
        return url + (this == MARIADB ? "/test?user=root" : "/postgres?user=postgres");
    }

    /** A pool at the database's default level. */
    DataSource pool() {
        return POOLS.computeIfAbsent(name(), key -> newPool(url(), null));
    }

    DataSource pool(Isolation isolation) {
        return POOLS.computeIfAbsent(name() + isolation, key -> newPool(url(), "TRANSACTION_" + isolation.name()));
    }

    static HikariDataSource newPool(String url, String isolation) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(12);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(30_000);
        config.setTransactionIsolation(isolation);
        return new HikariDataSource(config);
    }

    /** A connection outside of any pool, in a transaction. */
    Connection connect(Isolation isolation) throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        connection.setTransactionIsolation(isolation.level());
        connection.setAutoCommit(false);
        return connection;
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = pool().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
