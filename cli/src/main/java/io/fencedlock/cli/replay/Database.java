package io.fencedlock.cli.replay;

import io.fencedlock.jdbc.JdbcFence;
import io.fencedlock.jdbc.RunOnce;
import io.fencedlock.jdbc.WorkItems;
import io.fencedlock.servers.WorkerProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.engine.Constants;
import org.h2.jdbcx.JdbcDataSource;

/** The resource of scenarios that harm the lock's store, or need a table: an H2 database in memory, for the time of a replay. */
final class Database implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String USER = "replay";

    private final Optional<WorkerProcess> process;
    private final String url;
    private final String password;

    private Database(Optional<WorkerProcess> process, String url, String password) {
        this.process = process;
        this.url = url;
        this.password = password;
    }

    /** One in a process of its own, that other processes can use who know the password. */
    static Database server() {
        String password = UUID.randomUUID().toString();
        WorkerProcess process = WorkerProcess.of(DatabaseMain.class)
                .flags(JvmWorker.flags())
                .flags("-Dh2.bindAddress=127.0.0.1")
                .start();
        process.send(password);
        String url = "";
        try {
            url = process.receive(LIMIT).orElse("");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (url.isEmpty()) {
            process.close();
            throw new IllegalStateException("the database has ended: " + process.lastWords());
        }
        return new Database(Optional.of(process), url, password);
    }

    /** One in this process. */
    static Database here() {
        String password = UUID.randomUUID().toString();
        String url = create("replay-" + UUID.randomUUID(), password);
        return new Database(Optional.empty(), url, password);
    }

    /** Makes a database in this process that lives as long as the process, with its tables. */
    static String create(String name, String password) {
        String url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
        DataSource source = source(url, password);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE invoice (name VARCHAR(512) PRIMARY KEY, content VARCHAR NOT NULL, version BIGINT NOT NULL)");
            statement.execute("CREATE TABLE payment (invoice VARCHAR(512) PRIMARY KEY, payer VARCHAR NOT NULL)");
            statement.execute("CREATE TABLE mail (invoice VARCHAR(512) NOT NULL, sender VARCHAR NOT NULL)");
            new JdbcFence().createTable(source);
            new RunOnce().createTable(source);
            new WorkItems().createTable(source);
        } catch (SQLException e) {
            throw JdbcRegister.failed(e);
        }
        return url;
    }

    /** For a worker's first line. */
    Message into(Message place) {
        return place.with("database", url).with("databasePassword", password);
    }

    static DataSource source(String url, String password) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(url);
        source.setUser(USER);
        source.setPassword(password);
        return source;
    }

    DataSource source() {
        return source(url, password);
    }

    /** What it is, for people. */
    String words() {
        return "H2 " + Constants.VERSION + (process.isPresent() ? " in a process of its own" : " in this process")
                + ", apart from the lock's store";
    }

    @Override
    public void close() {
        process.ifPresentOrElse(WorkerProcess::close, this::shutDown);
    }

    private void shutDown() {
        try (Connection connection = source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        } catch (SQLException e) {
            throw JdbcRegister.failed(e);
        }
    }
}
