package io.fencedlock.cli.replay;

import io.fencedlock.HolderId;
import io.fencedlock.StaleTokenException;
import io.fencedlock.jdbc.RunOnce;
import io.fencedlock.jdbc.UniqueRows;
import io.fencedlock.jdbc.VersionedRows;
import io.fencedlock.jdbc.WorkClaim;
import io.fencedlock.jdbc.WorkItems;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What a worker does in the database: the designs that need no lock. Used by one thread. */
final class Desk {
    private static final long PAUSE_MILLIS = 50;

    private final DataSource database;
    private final JdbcRegister register;
    private final VersionedRows invoices = new VersionedRows("invoice", "name", "version");
    private final UniqueRows payments = new UniqueRows("payment");
    private final RunOnce once = new RunOnce();
    private final WorkItems work = new WorkItems();
    private OptionalLong version = OptionalLong.empty();
    private @Nullable WorkClaim claim;

    Desk(DataSource database) {
        this.database = database;
        register = new JdbcRegister(database);
    }

    JdbcRegister register() {
        return register;
    }

    Message perform(Message order) throws InterruptedException {
        try {
            return switch (order.text(Message.VERB)) {
                case "read-version" -> readVersion(order);
                case "update-version" -> updateVersion(order);
                case "pay" -> pay(order);
                case "mail" -> mail(order);
                case "count-mails" -> countMails(order);
                case "add-item" -> addItem(order);
                case "claim" -> claim(order);
                case "complete" -> complete(order);
                default -> throw new IllegalArgumentException("unknown order " + order);
            };
        } catch (SQLException e) {
            throw JdbcRegister.failed(e);
        }
    }

    private Message readVersion(Message order) throws SQLException {
        try (Connection connection = database.getConnection()) {
            version = invoices.version(connection, order.text("resource"));
            return Message.report().with("version", version.orElse(0));
        }
    }

    private Message updateVersion(Message order) throws SQLException {
        Map<String, String> values = Map.of("content", order.text("value"));
        try (Connection connection = database.getConnection()) {
            return accepted(invoices.update(connection, order.text("resource"), version.orElse(0), values));
        }
    }

    private Message pay(Message order) throws SQLException {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("invoice", order.text("resource"));
        values.put("payer", order.text("value"));
        try (Connection connection = database.getConnection()) {
            return accepted(payments.insertIfNew(connection, values));
        }
    }

    /** The table of mails stands for a mail server: it knows no token, no transaction of ours, and takes what it is given. */
    private Message mail(Message order) throws SQLException {
        String invoice = order.text("resource");
        String sender = order.text("value");
        boolean[] sent = {false};
        String result = once.elsewhere(database, "mail-" + invoice, key -> {
            send(invoice, sender);
            sent[0] = true;
            return "sent by " + sender;
        });
        return accepted(sent[0]).with("result", result);
    }

    private void send(String invoice, String sender) {
        try (Connection connection = database.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO mail (invoice, sender) VALUES (?, ?)")) {
            insert.setString(1, invoice);
            insert.setString(2, sender);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw JdbcRegister.failed(e);
        }
    }

    private Message countMails(Message order) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select =
                        connection.prepareStatement("SELECT COUNT(*), MIN(sender) FROM mail WHERE invoice = ?")) {
            select.setString(1, order.text("resource"));
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return Message.report().with("mails", row.getLong(1)).with("sender", String.valueOf(row.getString(2)));
            }
        }
    }

    private Message addItem(Message order) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return accepted(work.add(connection, order.text("item")));
        }
    }

    /** Tries to claim an item, for some time. */
    private Message claim(Message order) throws SQLException, InterruptedException {
        Duration wait = Duration.ofMillis(order.number("waitMs"));
        Duration time = Duration.ofMillis(order.number("leaseMs"));
        HolderId owner = HolderId.random();
        long start = System.nanoTime();
        while (true) {
            Optional<WorkClaim> claimed = work.claim(database, order.text("item"), owner, time);
            if (claimed.isPresent()) {
                claim = claimed.get();
                return Message.report()
                        .with("granted", true)
                        .with("token", claimed.get().mark().token());
            }
            if (System.nanoTime() - start >= wait.toNanos()) {
                return Message.report().with("granted", false);
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** Marks the item as done and writes what the work has yielded, in one transaction. */
    private Message complete(Message order) throws SQLException {
        WorkClaim mine = claim;
        if (mine == null) {
            throw new IllegalStateException("nothing was claimed");
        }
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                work.complete(connection, mine);
                JdbcRegister.put(connection, order.text("resource"), order.text("value"));
                connection.commit();
                return accepted(true);
            } catch (StaleTokenException e) {
                connection.rollback();
                return accepted(false).with("staleToken", e.staleToken()).with("acceptedToken", e.acceptedToken());
            }
        }
    }

    private static Message accepted(boolean yes) {
        return Message.report().with("accepted", yes);
    }
}
