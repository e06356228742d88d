package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** ZooKeeper: zoo.cfg, and the four-letter word srvr. */
final class ZooKeeperKind implements Kind {
    private static final Pattern VERSION = Pattern.compile("version: ([0-9][0-9.]*)");

    @Override
    public Store store() {
        return Store.ZOOKEEPER;
    }

    @Override
    public Plan plan(Node node, ServerOptions options) {
        StringBuilder cfg = new StringBuilder("tickTime=500\ninitLimit=20\nsyncLimit=10\n");
        cfg.append("dataDir=").append(node.data()).append('\n');
        cfg.append("clientPort=").append(node.port()).append('\n');
        cfg.append("clientPortAddress=").append(node.listen()).append('\n');
        cfg.append("minSessionTimeout=1000\nmaxClientCnxns=0\nadmin.enableServer=false\n4lw.commands.whitelist=*\n");
        // Survives the kill of the process all the same; only a crash of the machine could lose a write.
        cfg.append("forceSync=no\n");
        if (options.hasTls()) {
            cfg.append("serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory\n");
            cfg.append("secureClientPort=").append(node.tlsPort()).append('\n');
            cfg.append("secureClientPortAddress=").append(node.listen()).append('\n');
            cfg.append(
                    node.expand("ssl.keyStore.location={files}/server.pem\nssl.trustStore.location={files}/ca.pem\n"));
            cfg.append("ssl.clientAuth=none\n");
        }
        options.settings()
                .forEach(s -> cfg.append(s.name())
                        .append('=')
                        .append(node.expand(s.value()))
                        .append('\n'));
        Map<String, byte[]> files = new LinkedHashMap<>(options.files());
        files.put("zoo.cfg", cfg.toString().getBytes(StandardCharsets.UTF_8));
        return new Plan(List.of(node.files() + "/zoo.cfg"), files, options.dataFiles());
    }

    @Override
    public boolean answers(InetSocketAddress address) {
        return srvr(address).filter(text -> text.contains("Mode: ")).isPresent();
    }

    @Override
    public Optional<String> version(InetSocketAddress address) {
        return srvr(address).map(VERSION::matcher).filter(Matcher::find).map(found -> found.group(1));
    }

    /** Whether the server leads its ensemble. */
    boolean leads(InetSocketAddress address) {
        return srvr(address).filter(text -> text.contains("Mode: leader")).isPresent();
    }

    private static Optional<String> srvr(InetSocketAddress address) {
        try (Wire wire = Wire.connect(address)) {
            return Optional.of(wire.send("srvr").readAll());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public Contents contents(InetSocketAddress address) {
        return new ZooKeeperContents(address);
    }
}
