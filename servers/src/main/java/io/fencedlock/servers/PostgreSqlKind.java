package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** PostgreSQL: {@code -c} options, and the start of a session as the user postgres, who needs no password. */
final class PostgreSqlKind implements Kind {
    /** Protocol 3.0, preceded by the length of the whole. */
    private static final String STARTUP = "\0\0\0\27\0\3\0\0user\0postgres\0\0";

    @Override
    public Store store() {
        return Store.POSTGRESQL;
    }

    @Override
    public Plan plan(Node node, ServerOptions options) {
        if (options.hasTls()) {
            throw new IllegalArgumentException("PostgreSQL is started without TLS only");
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(node.data());
        set(arguments, "listen_addresses", node.listen());
        set(arguments, "port", Integer.toString(node.port()));
        set(arguments, "unix_socket_directories", "");
        set(
                arguments, "fsync",
                "off"); // survives the kill of the process; only a crash of the machine could lose a write
        set(arguments, "max_connections", "200");
        options.settings().forEach(s -> set(arguments, s.name(), node.expand(s.value())));
        return new Plan(List.copyOf(arguments), options.files(), options.dataFiles());
    }

    private static void set(List<String> arguments, String name, String value) {
        arguments.add("-c");
        arguments.add(name + "=" + value);
    }

    /** 'R' is the answer to a session's start, whatever it asks for; 'E' comes while the server starts up. */
    @Override
    public boolean answers(InetSocketAddress address) {
        try (Wire wire = Wire.connect(address)) {
            return wire.send(STARTUP).read() == 'R';
        } catch (IOException e) {
            return false;
        }
    }

    /** In clear text among the parameters that follow the acceptance of a user. */
    @Override
    public Optional<String> version(InetSocketAddress address) {
        try (Wire wire = Wire.connect(address)) {
            wire.send(STARTUP);
            String name = "";
            while (!name.endsWith("server_version")) {
                name = wire.readText();
            }
            return Optional.of(wire.readText().split(" ", 2)[0]);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
