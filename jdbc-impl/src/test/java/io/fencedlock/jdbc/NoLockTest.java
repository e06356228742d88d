package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import io.fencedlock.jdbc.Database.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The designs that need no lock, each with many at once. */
class NoLockTest {
    private static final int MANY = 6;

    private interface Body<T> {
        T run() throws Exception;
    }

    private static <T> List<T> atOnce(Body<T> body) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(MANY);
        try {
            List<Future<T>> all = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                all.add(threads.submit((Callable<T>) body::run));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : all) {
                results.add(one.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void runOnceInTheDatabase_oneRunsAndAllGetItsResult(Database db) throws Exception {
        RunOnce once = new RunOnce();
        once.createTable(db.pool());
        for (Isolation isolation : Isolation.values()) {
            String key = Marks.resource("order");
            AtomicInteger number = new AtomicInteger();
            List<String> results = atOnce(
                    () -> once.inDatabase(db.pool(isolation), key, connection -> "result " + number.incrementAndGet()));
            assertThat(Set.copyOf(results)).hasSize(1);
            assertThat(once.inDatabase(db.pool(isolation), key, connection -> "again"))
                    .isEqualTo(results.get(0));
        }
    }

    @ParameterizedTest
    @EnumSource
    void runOnceInTheDatabase_workThatFailedIsRunByTheNext(Database db) throws Exception {
        RunOnce once = new RunOnce();
        once.createTable(db.pool());
        String key = Marks.resource("order");
        assertThatThrownBy(() -> once.inDatabase(db.pool(), key, connection -> {
                    throw new IllegalStateException("crash");
                }))
                .hasMessage("crash");
        assertThat(once.inDatabase(db.pool(), key, connection -> "second")).isEqualTo("second");
        try (Connection connection = db.pool().getConnection()) {
            assertThatThrownBy(() -> once.inDatabase(connection, key, c -> "third"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void runOnceElsewhere_crashBetweenEffectAndRecordRepeatsWithTheSameKey(Database db) throws Exception {
        RunOnce once = new RunOnce();
        once.createTable(db.pool());
        String key = Marks.resource("payment");
        Set<String> paid = ConcurrentHashMap.newKeySet(); // a gateway that knows keys
        assertThatThrownBy(() -> once.elsewhere(db.pool(), key, idempotencyKey -> {
                    paid.add(idempotencyKey);
                    throw new IllegalStateException("crash after the effect");
                }))
                .hasMessage("crash after the effect");
        assertThat(once.unfinished(db.pool(), 1000)).contains(key);

        List<String> results = atOnce(() -> once.elsewhere(
                db.pool(), key, idempotencyKey -> paid.add(idempotencyKey) ? "paid twice" : "paid before"));
        assertThat(Set.copyOf(results)).containsExactly("paid before");
        assertThat(paid).containsExactly(key);
        assertThat(once.unfinished(db.pool(), 1000)).doesNotContain(key);
        assertThat(once.forget(db.pool(), Duration.ofDays(1))).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void versionedRows_ofTwoComputedFromOneVersionTheFirstHappens(Database db) throws Exception {
        db.execute(
                "DROP TABLE IF EXISTS stock",
                "CREATE TABLE stock (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL, version BIGINT NOT NULL)",
                "INSERT INTO stock VALUES (1, 0, 0)");
        VersionedRows stock = new VersionedRows("stock", "id", "version");
        atOnce(() -> {
            for (int done = 0; done < 10; ) {
                try (Connection connection = db.pool().getConnection()) {
                    long version = stock.version(connection, 1L).orElseThrow();
                    long amount = Sql.one(connection, "SELECT amount FROM stock", row -> row.getLong(1))
                            .orElseThrow();
                    done += stock.update(connection, 1L, version, Map.of("amount", amount + 1)) ? 1 : 0;
                }
            }
            return true;
        });
        try (Connection connection = db.pool().getConnection()) {
            assertThat(Sql.one(connection, "SELECT amount FROM stock", row -> row.getLong(1)))
                    .contains(10L * MANY);
            assertThat(stock.version(connection, 2L)).isEmpty();
            assertThat(stock.update(connection, 2L, 0, Map.of("amount", 1))).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void uniqueRows_oneInsertsAndNobodysTransactionIsSpoilt(Database db) throws Exception {
        db.execute(
                "DROP TABLE IF EXISTS invoice_sent",
                "CREATE TABLE invoice_sent (invoice BIGINT PRIMARY KEY, by_whom VARCHAR(50))");
        UniqueRows sent = new UniqueRows("invoice_sent");
        List<Boolean> inserted = atOnce(() -> {
            try (Connection connection = db.connect(Isolation.READ_COMMITTED)) {
                boolean first = sent.insertIfNew(connection, Map.of("invoice", 1041L, "by_whom", "me"));
                Sql.list(connection, "SELECT invoice FROM invoice_sent", row -> row.getLong(1));
                connection.commit();
                return first;
            }
        });
        assertThat(inserted).containsOnlyOnce(true);
    }

    @ParameterizedTest
    @EnumSource
    void workItems_eachIsClaimedOnceAndALateOwnerCompletesNothing(Database db) throws Exception {
        WorkItems items = new WorkItems("work_" + db.ordinal());
        db.execute("DROP TABLE IF EXISTS work_" + db.ordinal());
        items.createTable(db.pool());
        try (Connection connection = db.pool().getConnection()) {
            for (int i = 0; i < 30; i++) {
                assertThat(items.add(connection, "item " + i)).isTrue();
            }
            assertThat(items.add(connection, "item 7")).isFalse();
        }
        Duration hour = Duration.ofHours(1);
        Set<String> claimed = ConcurrentHashMap.newKeySet();
        atOnce(() -> {
            for (int i = 0; i < 5; i++) {
                WorkClaim claim = claimNext(db, items, hour);
                assertThat(claimed.add(claim.item()))
                        .as("%s is claimed once", claim)
                        .isTrue();
                complete(db, items, claim);
            }
            return true;
        });
        assertThat(claimed).hasSize(30);
        assertThat(items.claimNext(db.pool(), HolderId.random(), hour)).isEmpty();
        lateOwner(db, items);
    }

    /** All that are free may be locked by others at this moment. */
    private static WorkClaim claimNext(Database db, WorkItems items, Duration time) {
        return await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .until(() -> items.claimNext(db.pool(), HolderId.random(), time), Optional::isPresent)
                .orElseThrow();
    }

    private static void lateOwner(Database db, WorkItems items) throws SQLException {
        try (Connection connection = db.pool().getConnection()) {
            items.add(connection, "late");
        }
        Duration second = Duration.ofSeconds(1);
        WorkClaim late =
                items.claim(db.pool(), "late", HolderId.random(), second).orElseThrow();
        assertThat(items.claim(db.pool(), "late", HolderId.random(), second))
                .as("claimed")
                .isEmpty();
        WorkClaim next = await().atMost(Duration.ofSeconds(60))
                .until(() -> items.claim(db.pool(), "late", HolderId.random(), second), Optional::isPresent)
                .orElseThrow();
        assertThatThrownBy(() -> complete(db, items, late)).isInstanceOfSatisfying(StaleTokenException.class, e -> {
            assertThat(e.resource()).isEqualTo("late");
            assertThat(e.staleToken()).isEqualTo(1);
            assertThat(e.acceptedToken()).isEqualTo(2);
        });
        complete(db, items, next);
        assertThat(items.claim(db.pool(), "late", HolderId.random(), second))
                .as("done")
                .isEmpty();
        try (Connection connection = db.pool().getConnection()) {
            assertThatThrownBy(() -> items.complete(connection, next)).isInstanceOf(IllegalStateException.class);
        }
    }

    private static void complete(Database db, WorkItems items, WorkClaim claim) throws SQLException {
        new OwnTransaction(db.pool()).run(connection -> {
            items.complete(connection, claim);
            return true;
        });
    }
}
