package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** MariaDB: command-line options, and the greeting that the server sends first. */
final class MariaDbKind implements Kind {
    private static final int PROTOCOL = 10;

    @Override
    public Store store() {
        return Store.MARIADB;
    }

    @Override
    public Plan plan(Node node, ServerOptions options) {
        if (options.hasTls()) {
            throw new IllegalArgumentException("MariaDB is started without TLS only");
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(node.data());
        arguments.add("--bind-address=" + node.listen());
        arguments.add("--port=" + node.port());
        arguments.add("--socket=socket"); // relative to the data: a long path would not do
        arguments.add("--pid-file=pid");
        arguments.add(
                "--tmpdir=" + node.files()); // when it starts it deletes the temporary tables of whoever has the same
        arguments.add("--skip-name-resolve");
        arguments.add("--max-connect-errors=1000000000"); // our pings end without a login
        arguments.add("--innodb-flush-log-at-trx-commit=2"); // in the system's hands: survives the kill of the process
        arguments.add("--innodb-log-file-size=16M");
        arguments.add("--innodb-buffer-pool-size=32M");
        options.settings().forEach(s -> arguments.add("--" + s.name() + "=" + node.expand(s.value())));
        return new Plan(List.copyOf(arguments), options.files(), options.dataFiles());
    }

    @Override
    public boolean answers(InetSocketAddress address) {
        return version(address).isPresent();
    }

    /** The greeting: four bytes of framing, the protocol's number, the version as text; 5.5.5- before it is for old clients. */
    @Override
    public Optional<String> version(InetSocketAddress address) {
        try (Wire wire = Wire.connect(address)) {
            for (int frame = 0; frame < 4; frame++) {
                wire.read();
            }
            if (wire.read() != PROTOCOL) {
                return Optional.empty();
            }
            return Optional.of(wire.readText().replaceFirst("^5\\.5\\.5-", "").split("-", 2)[0]);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
