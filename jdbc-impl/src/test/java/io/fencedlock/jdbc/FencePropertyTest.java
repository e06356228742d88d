package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fencedlock.FenceMark;
import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import io.fencedlock.jdbc.Database.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random interleavings of holders, with tokens where numbers get inexact, crashes and repeats. The seed is in every failure. */
@Timeout(value = 90, unit = TimeUnit.MINUTES)
class FencePropertyTest {
    private static final boolean FULL = "full".equals(System.getProperty("fencedlock.profile"));
    private static final long[] BASES = {1, 1L << 31, 1L << 53, Long.MAX_VALUE - 40};
    private static final int THREADS = 6;

    private final JdbcFence fence = new JdbcFence();

    private static long seed() {
        return Long.getLong("fencedlock.seed", System.nanoTime());
    }

    private static int operations(int quick) {
        return FULL ? 50_000 : quick; // twice: one by one, and at once
    }

    /** Around the bases, close enough together to meet. */
    private static FenceMark mark(Random random, long base, List<HolderId> holders) {
        long token = Math.max(1, base - 20) + random.nextInt(40);
        return new FenceMark(token, holders.get(random.nextInt(holders.size())));
    }

    private static List<HolderId> holders() {
        return List.of(HolderId.random(), HolderId.random(), HolderId.random());
    }

    /** One by one, against the rule itself: nothing is accepted or refused wrongly, and an undone transaction leaves the mark. */
    @ParameterizedTest
    @EnumSource
    void oneByOne_asTheRuleSays(Database db) throws Exception {
        long seed = seed();
        Random random = new Random(seed);
        fence.createTable(db.pool());
        Map<String, FenceMark> model = new HashMap<>();
        List<HolderId> holders = holders();
        String prefix = Marks.resource("model");
        int accepted = 0;
        int refused = 0;
        int operations = operations(1500);
        for (int i = 0; i < operations; i++) {
            long base = BASES[random.nextInt(BASES.length)];
            String resource = prefix + "/" + base + "/" + (i / 60); // a fresh one now and then: marks only rise
            FenceMark shown = mark(random, base, holders);
            FenceMark before = model.get(resource);
            boolean admitted = before == null || before.admits(shown);
            End end = End.values()[random.nextInt(End.values().length)];
            Isolation isolation = Isolation.values()[random.nextInt(3)];
            String what = "seed " + seed + ", operation " + i + ": " + shown + " on " + before + ", " + end;
            assertThat(enters(db, isolation, resource, shown, end)).as(what).isEqualTo(admitted);
            if (admitted && end == End.COMMIT) {
                model.put(resource, shown);
            }
            accepted += admitted ? 1 : 0;
            refused += admitted ? 0 : 1;
            if (random.nextInt(10) == 0) {
                assertThat(fence.mark(db.pool(), resource))
                        .as(what)
                        .isEqualTo(java.util.Optional.ofNullable(model.get(resource)));
            }
        }
        assertThat(Math.min(accepted, refused)).as("both happen, seed %d", seed).isGreaterThan(operations / 20);
    }

    private enum End {
        COMMIT,
        ROLLBACK,
        CONNECTION_LOST
    }

    private boolean enters(Database db, Isolation isolation, String resource, FenceMark mark, End end)
            throws SQLException {
        Connection connection = db.pool(isolation).getConnection();
        try {
            connection.setAutoCommit(false);
            fence.enter(connection, resource, mark);
            switch (end) {
                case COMMIT -> connection.commit();
                case ROLLBACK -> connection.rollback();
                case CONNECTION_LOST -> connection.abort(Runnable::run);
            }
            return true;
        } catch (StaleTokenException e) {
            assertThat(e.staleToken()).isEqualTo(mark.token());
            connection.rollback();
            return false;
        } finally {
            giveBack(connection, end);
        }
    }

    private static void giveBack(Connection connection, End end) throws SQLException {
        try {
            connection.close();
        } catch (SQLException e) {
            assertThat(end).as("%s", e).isEqualTo(End.CONNECTION_LOST);
        }
    }

    private record Accepted(long entry, FenceMark mark) {}

    /** At once: each accepted write is recorded by its own transaction, in the order of the row lock. */
    @ParameterizedTest
    @EnumSource
    void atOnce_noWriteBelowAnAcceptedOne(Database db) throws Exception {
        long seed = seed();
        fence.createTable(db.pool());
        db.execute(
                "CREATE TABLE IF NOT EXISTS written ("
                        + "resource VARCHAR(200), entry BIGINT, token BIGINT, holder VARCHAR(32), PRIMARY KEY (resource, entry))");
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            int rounds = operations(1200) / (THREADS * 50);
            for (int round = 0; round < rounds; round++) {
                oneRound(db, threads, seed + round, BASES[round % BASES.length]);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void oneRound(Database db, ExecutorService threads, long seed, long base) throws Exception {
        String resource = Marks.resource("written");
        List<HolderId> holders = holders();
        Set<FenceMark> refusedBy = ConcurrentHashMap.newKeySet();
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            Random random = new Random(seed * 31 + thread);
            all.add(threads.submit((Callable<Boolean>) () -> {
                for (int i = 0; i < 50; i++) {
                    FenceMark mark = mark(random, base, holders);
                    Isolation isolation = Isolation.values()[random.nextInt(3)];
                    try {
                        write(db, isolation, resource, mark, random.nextInt(8));
                    } catch (StaleTokenException e) {
                        refusedBy.add(new FenceMark(e.acceptedToken(), mark.holder()));
                        assertThat(e.acceptedToken()).isGreaterThanOrEqualTo(mark.token());
                    }
                }
                return true;
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        check(db, resource, refusedBy, "seed " + seed + " (-Dfencedlock.seed), base " + base);
    }

    private void write(Database db, Isolation isolation, String resource, FenceMark mark, int dice)
            throws SQLException {
        try {
            fence.inFence(db.pool(isolation), resource, mark, connection -> {
                Sql.update(
                        connection,
                        "INSERT INTO written SELECT ?, COALESCE(MAX(entry), 0) + 1, CAST(? AS "
                                + (db == Database.MARIADB ? "SIGNED" : "BIGINT")
                                + "), ? FROM written WHERE resource = ?",
                        resource,
                        mark.token(),
                        String.valueOf(mark.holder()),
                        resource);
                if (dice == 0) {
                    throw new IllegalStateException("undo");
                }
                if (dice == 1) {
                    connection.abort(Runnable::run);
                    throw new IllegalStateException("undo");
                }
                return true;
            });
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("undo");
        } catch (SQLException e) {
            // So many at once that the repeats were used up: nothing was written, and that is no false refusal.
            assertThat(SqlFailure.isRepeatable(e)).as("%s", e).isTrue();
        }
    }

    private static void check(Database db, String resource, Set<FenceMark> refusedBy, String what) throws SQLException {
        List<Accepted> accepted;
        try (Connection connection = db.pool().getConnection()) {
            accepted = Sql.list(
                    connection,
                    "SELECT entry, token, holder FROM written WHERE resource = ? ORDER BY entry",
                    row -> new Accepted(row.getLong(1), new FenceMark(row.getLong(2), new HolderId(row.getString(3)))),
                    resource);
        }
        assertThat(accepted).as(what).isNotEmpty();
        for (int i = 1; i < accepted.size(); i++) {
            FenceMark before = accepted.get(i - 1).mark();
            assertThat(before.admits(accepted.get(i).mark()))
                    .as("%s: %s after %s", what, accepted.get(i), before)
                    .isTrue();
        }
        List<Long> tokens = accepted.stream().map(one -> one.mark().token()).toList();
        assertThat(refusedBy.stream().map(FenceMark::token).toList())
                .as("%s: nobody is refused because of a token that was not accepted", what)
                .allMatch(tokens::contains);
    }
}
