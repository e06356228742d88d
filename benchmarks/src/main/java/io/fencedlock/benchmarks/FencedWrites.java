package io.fencedlock.benchmarks;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedRegister;
import io.fencedlock.HolderId;
import io.fencedlock.jdbc.JdbcFence;
import io.fencedlock.servers.Server;
import io.fencedlock.servers.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.HdrHistogram.Histogram;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** W7: a write through the fence beside the same write without it, each the "acquire" of its subject. */
final class FencedWrites implements Workload {

    /** Of the holder that writes. */
    private static final FenceMark MARK = new FenceMark(1_000, HolderId.random());

    private final Scale scale;

    FencedWrites(Scale scale) {
        this.scale = scale;
    }

    @Override
    public String name() {
        return "W7";
    }

    @Override
    public String meaning() {
        return "one value is written again and again by its holder: raw without a fence, fencedlock through it; on SQL databases each write is"
                + " a transaction";
    }

    @Override
    public boolean suits(Subject subject) {
        return true;
    }

    @Override
    public boolean comparesThroughput() {
        return false;
    }

    @Override
    public Set<Store> stores() {
        return EnumSet.allOf(Store.class);
    }

    @Override
    public List<Subject> subjects(Store store) {
        return switch (store) {
            case REDIS, ZOOKEEPER, ETCD ->
                List.of(
                        Subject.of(Floors.RAW, (server, lease) -> register(server, false)),
                        Subject.of(FencedLockSubject.NAME, (server, lease) -> register(server, true)));
            case POSTGRESQL, MARIADB ->
                List.of(
                        Subject.of(Floors.RAW, (server, lease) -> sql(database(server), false)),
                        Subject.of(FencedLockSubject.NAME, (server, lease) -> sql(database(server), true)));
        };
    }

    private static Subject.Client register(Server server, boolean fenced) {
        FencedRegister register = FencedRegister.connect(server.url());
        return Subject.client(
                resource -> {
                    if (fenced) {
                        register.write(resource, MARK, "value");
                    } else {
                        register.writeUnfenced(resource, "value");
                    }
                    return () -> {};
                },
                register);
    }

    private static Subject.Client sql(DataSource database, boolean fenced) throws SQLException {
        JdbcFence fence = new JdbcFence();
        fence.createTable(database);
        Connection connection = database.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS written (id VARCHAR(100) PRIMARY KEY, n BIGINT NOT NULL)");
            statement.execute("DELETE FROM written");
            statement.execute("INSERT INTO written VALUES ('value', 0)");
        }
        connection.setAutoCommit(false);
        PreparedStatement write = connection.prepareStatement("UPDATE written SET n = n + 1 WHERE id = 'value'");
        return Subject.client(
                resource -> {
                    if (fenced) {
                        fence.enter(connection, resource, MARK);
                    }
                    write.executeUpdate();
                    connection.commit();
                    return () -> {};
                },
                connection);
    }

    private static DataSource database(Server server) throws SQLException {
        int port = server.address().getPort();
        if (server.store() == Store.MARIADB) {
            return new MariaDbDataSource("jdbc:mariadb://127.0.0.1:" + port + "/test?user=root");
        }
        PGSimpleDataSource postgres = new PGSimpleDataSource();
        postgres.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/postgres");
        postgres.setUser("postgres");
        return postgres;
    }

    @Override
    public void round(Server server, Subject subject, Subject.Client client, Sample sample) throws Exception {
        write(subject.name(), client, sample, () -> ServerCounter.read(server));
    }

    /** H2 has no server: it is embedded, in memory. */
    @Override
    public List<Result> alone() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:W7;DB_CLOSE_DELAY=-1");
        Sample raw = new Sample();
        Sample fenced = new Sample();
        try (Subject.Client plain = sql(database, false);
                Subject.Client guarded = sql(database, true)) {
            for (int i = -scale.warmUps(); i < scale.rounds(); i++) {
                write(Floors.RAW, plain, i < 0 ? new Sample() : raw, () -> 0);
                write(FencedLockSubject.NAME, guarded, i < 0 ? new Sample() : fenced, () -> 0);
            }
        }
        return Bench.withRatios(
                this,
                List.of(raw.result(name(), "h2", Floors.RAW), fenced.result(name(), "h2", FencedLockSubject.NAME)));
    }

    private void write(String subject, Subject.Client client, Sample sample, LongSupplier counter) throws Exception {
        Histogram latencies = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        long requests = counter.getAsLong();
        long begun = System.nanoTime();
        long end = begun + scale.round().toNanos();
        while (System.nanoTime() < end) {
            long from = System.nanoTime();
            client.acquire("W7-" + subject);
            latencies.recordValue(System.nanoTime() - from);
        }
        long nanos = System.nanoTime() - begun;
        sample.round(latencies, latencies.getTotalCount(), nanos, counter.getAsLong() - requests);
    }
}
