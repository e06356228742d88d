package io.fencedlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fencedlock.FenceMark;
import io.fencedlock.FencedLock;
import io.fencedlock.FencedLocks;
import io.fencedlock.HolderId;
import io.fencedlock.Lease;
import io.fencedlock.StaleTokenException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Every snippet of docs/fencing.md stands here, or in the test of this name in the module of its store, between two marks, and is run; and the page
 * shows what stands there.
 */
class FencingDocTest {
    private static final Pattern SHOWN =
            Pattern.compile("<!-- snippet: ([a-z-]+) -->\n```java\n(.*?)```\n", Pattern.DOTALL);
    private static final Pattern HERE =
            Pattern.compile("\n( *)// snippet: ([a-z-]+)\n(.*?)\n *// end(?=\n)", Pattern.DOTALL);

    private final DataSource dataSource = Database.H2.pool();

    @Test
    void page_showsWhatIsRun() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        String page = Files.readString(root.resolve("docs/fencing.md"));
        Map<String, String> run = new java.util.TreeMap<>();
        for (String source : sources(root)) {
            Matcher here = HERE.matcher(source);
            while (here.find()) {
                run.put(here.group(2), here.group(3).replaceAll("(?m)^" + here.group(1), "") + "\n");
            }
        }
        Map<String, String> shown = new java.util.TreeMap<>();
        Matcher there = SHOWN.matcher(page);
        while (there.find()) {
            shown.put(there.group(1), there.group(2));
        }
        assertThat(shown).isNotEmpty().isEqualTo(run);
        assertThat(page.split("```java", -1)).as("each snippet is named").hasSize(shown.size() + 1);
    }

    private static List<String> sources(Path root) throws IOException {
        List<String> sources = new ArrayList<>();
        try (Stream<Path> files = Files.find(
                root,
                8,
                (file, about) ->
                        file.endsWith("FencingDocTest.java") && !file.toString().contains("/target/"))) {
            for (Path file : files.toList()) {
                sources.add(Files.readString(file));
            }
        }
        return sources;
    }

    @Test
    void table_guardsExistingTables() throws Exception {
        Database.H2.execute(
                "CREATE TABLE IF NOT EXISTS invoice (id BIGINT PRIMARY KEY, sent BOOLEAN)",
                "MERGE INTO invoice VALUES (1041, FALSE)");
        try (FencedLocks locks = FencedLocks.connect("memory:")) {
            FencedLock lock = locks.get("invoice-1041");
            // snippet: table
            JdbcFence fence = new JdbcFence();
            fence.createTable(dataSource); // once

            try (Lease lease = lock.acquire()) {
                fence.inFence(dataSource, lease, connection -> {
                    try (PreparedStatement update =
                            connection.prepareStatement("UPDATE invoice SET sent = TRUE WHERE id = ?")) {
                        update.setLong(1, 1041);
                        return update.executeUpdate();
                    }
                });
            }
            // end
            assertThat(fence.mark(dataSource, "invoice-1041")).isPresent();
            try (Lease lease = lock.acquire()) {
                // snippet: advance
                fence.advance(dataSource, "invoice-1041", lease.mark()); // from here on no older holder can write
                // ... read, compute for as long as it takes, and write in the fence
                // end
            }
        }
        assertThatThrownBy(
                        () -> new JdbcFence().advance(dataSource, "invoice-1041", new FenceMark(1, HolderId.random())))
                .isInstanceOf(StaleTokenException.class);
    }

    @Test
    void enter_insideAnotherTransaction() throws Exception {
        JdbcFence fence = new JdbcFence();
        fence.createTable(dataSource);
        FenceMark mark = Marks.of(5);
        String resource = Marks.resource("doc");
        // snippet: enter
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                fence.enter(connection, resource, mark); // before any other statement
                // ... the statements of the transaction
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                connection.rollback(); // also when the fence refused
                throw e;
            }
        }
        // end
        assertThat(fence.mark(dataSource, resource)).contains(mark);
    }

    @Test
    void columns_inOneStatement() throws Exception {
        Database.H2.execute(
                "DROP TABLE IF EXISTS doc_account",
                "CREATE TABLE doc_account (id BIGINT PRIMARY KEY, balance BIGINT,"
                        + " fence BIGINT DEFAULT 0 NOT NULL, fence_holder VARCHAR(32))",
                "INSERT INTO doc_account (id, balance) VALUES (7, 0)");
        setBalance(7, 100, Marks.of(34));
        assertThatThrownBy(() -> setBalance(7, 90, Marks.of(33)))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("33")
                .hasMessageContaining("34");
    }

    private void setBalance(long id, long balance, FenceMark mark) throws SQLException {
        // snippet: columns
        FenceColumns columns = new FenceColumns(); // fence BIGINT NOT NULL DEFAULT 0, fence_holder VARCHAR(32)
        String sql = "UPDATE doc_account SET balance = ?, " + columns.assignment() + " WHERE id = ? AND "
                + columns.condition();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, balance);
            int next = columns.bindAssignment(update, 2, mark);
            update.setLong(next, id);
            columns.bindCondition(update, next + 1, mark);
            if (update.executeUpdate() == 0) {
                columns.refused(connection, "doc_account", "id", id, mark); // throws, with both tokens
            }
        }
        // end
    }

    @Test
    void housekeeping_ofMarks() throws Exception {
        JdbcFence fence = new JdbcFence().withTable("doc_marks");
        fence.createTable(dataSource);
        fence.advance(dataSource, "invoice-1041", Marks.of(3));
        // snippet: housekeeping
        List<StoredMark> firstPage = fence.marks(dataSource, "", 100);
        int deleted = fence.expire(dataSource, Duration.ofDays(30)); // nobody pauses that long
        FenceMark raised = fence.raise(dataSource, "invoice-1041", 1_000_000); // only tokens above pass now
        // end
        assertThat(firstPage).hasSize(1);
        assertThat(deleted).isZero();
        assertThat(raised.token()).isEqualTo(1_000_000);
        fence.remove(dataSource, "invoice-1041");
    }

    @Test
    void once_inTheDatabaseAndElsewhere() throws Exception {
        Database.H2.execute("CREATE TABLE IF NOT EXISTS doc_order (id VARCHAR(100) PRIMARY KEY)");
        List<String> mails = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            // snippet: once
            RunOnce once = new RunOnce();
            once.createTable(dataSource); // one time

            String number = once.inDatabase(dataSource, "order-4711", connection -> {
                new UniqueRows("doc_order").insertIfNew(connection, Map.of("id", "order-4711"));
                return "A-1"; // stored; every later caller gets it
            });
            String receipt = once.elsewhere(dataSource, "mail-4711", idempotencyKey -> {
                mails.add(idempotencyKey); // the gateway gets the key, and sends once for each key
                return "sent";
            });
            // end
            assertThat(number).isEqualTo("A-1");
            assertThat(receipt).isEqualTo("sent");
        }
        assertThat(mails).containsExactly("mail-4711");
    }

    @Test
    void versions_uniqueRowsAndWork() throws Exception {
        Database.H2.execute(
                "DROP TABLE IF EXISTS doc_stock",
                "CREATE TABLE doc_stock (id BIGINT PRIMARY KEY, amount BIGINT, version BIGINT NOT NULL)",
                "INSERT INTO doc_stock VALUES (7, 10, 0)",
                "DROP TABLE IF EXISTS doc_sent",
                "CREATE TABLE doc_sent (invoice BIGINT PRIMARY KEY)");
        boolean written;
        boolean first;
        try (Connection connection = dataSource.getConnection()) {
            // snippet: version
            VersionedRows stock = new VersionedRows("doc_stock", "id", "version");
            long version = stock.version(connection, 7L).orElseThrow();
            // ... read and compute
            written = stock.update(connection, 7L, version, Map.of("amount", 9)); // false: somebody was faster
            // end
            // snippet: unique
            first = new UniqueRows("doc_sent").insertIfNew(connection, Map.of("invoice", 1041));
            // end
        }
        assertThat(written).isTrue();
        assertThat(first).isTrue();
        WorkItems items = new WorkItems("doc_work");
        items.createTable(dataSource);
        try (Connection connection = dataSource.getConnection()) {
            items.add(connection, "customers A-F");
        }
        // snippet: work
        Optional<WorkClaim> claim = items.claimNext(dataSource, HolderId.random(), Duration.ofMinutes(5));
        if (claim.isPresent()) {
            // ... do the work
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                items.complete(connection, claim.get()); // refused if another instance took over
                // ... write the results
                connection.commit();
            }
        }
        // end
        assertThat(claim).isPresent();
    }
}
