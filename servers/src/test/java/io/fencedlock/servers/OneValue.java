package io.fencedlock.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One value in a store, written and read with as little of a driver as possible. */
final class OneValue {
    private OneValue() {}

    static void write(Server server, String value) throws Exception {
        switch (server.store()) {
            case REDIS -> redis(server, "SET k " + value);
            case ETCD -> etcd(server, "put", "{\"key\":\"" + base64("k") + "\",\"value\":\"" + base64(value) + "\"}");
            case ZOOKEEPER -> {
                try (RawZooKeeper zk = new RawZooKeeper(server.address())) {
                    zk.create("/k", value);
                }
            }
            case POSTGRESQL, MARIADB -> {
                try (Connection sql = sql(server);
                        Statement statement = sql.createStatement()) {
                    statement.execute("create table k (v varchar(100))");
                    statement.execute("insert into k values ('" + value + "')");
                }
            }
        }
    }

    static Optional<String> read(Server server) throws Exception {
        return switch (server.store()) {
            case REDIS -> redis(server, "GET k");
            case ETCD -> {
                Matcher value = Pattern.compile("\"value\":\"([^\"]*)\"")
                        .matcher(etcd(server, "range", "{\"key\":\"" + base64("k") + "\"}"));
                yield value.find()
                        ? Optional.of(new String(Base64.getDecoder().decode(value.group(1)), StandardCharsets.UTF_8))
                        : Optional.empty();
            }
            case ZOOKEEPER -> {
                try (RawZooKeeper zk = new RawZooKeeper(server.address())) {
                    yield zk.read("/k");
                }
            }
            case POSTGRESQL, MARIADB -> {
                try (Connection sql = sql(server);
                        ResultSet tables = sql.getMetaData().getTables(null, null, "k", null);
                        Statement statement = sql.createStatement()) {
                    if (!tables.next()) {
                        yield Optional.empty();
                    }
                    ResultSet row = statement.executeQuery("select v from k");
                    yield row.next() ? Optional.of(row.getString(1)) : Optional.empty();
                }
            }
        };
    }

    private static Connection sql(Server server) throws SQLException {
        String login = server.store() == Store.MARIADB ? "/test?user=root" : "/postgres?user=postgres";
        return DriverManager.getConnection("jdbc:" + server.url() + login);
    }

    private static Optional<String> redis(Server server, String command) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String first = in.readLine();
            return switch (first.charAt(0)) {
                case '+' -> Optional.of(first.substring(1));
                case '$' -> first.equals("$-1") ? Optional.empty() : Optional.of(in.readLine());
                default -> throw new IOException(first);
            };
        }
    }

    private static String etcd(Server server, String call, String body) throws IOException {
        HttpURLConnection http = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + server.address().getPort() + "/v3/kv/" + call)
                        .toURL()
                        .openConnection();
        http.setConnectTimeout(60_000);
        http.setReadTimeout(60_000);
        http.setDoOutput(true);
        http.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        return new String(http.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
