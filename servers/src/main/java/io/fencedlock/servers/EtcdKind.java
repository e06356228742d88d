package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** etcd: command-line options, and the HTTP pages /health and /version. */
final class EtcdKind implements Kind {
    private static final Pattern VERSION = Pattern.compile("\"etcdserver\":\"([^\"]+)\"");

    private static final Pattern STATUS =
            Pattern.compile("\"member_id\":\"(\\d+)\".*\"leader\":\"(\\d+)\"", Pattern.DOTALL);

    @Override
    public Store store() {
        return Store.ETCD;
    }

    @Override
    public Plan plan(Node node, ServerOptions options) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--name=node");
        arguments.add("--data-dir=" + node.data());
        arguments.add("--listen-client-urls=" + clientUrls(node.listen(), node, options));
        arguments.add("--advertise-client-urls=" + clientUrls(node.host(), node, options));
        // A single member talks to no peer: port 0 takes any, and is opened on loopback alone.
        arguments.add("--listen-peer-urls=http://127.0.0.1:0");
        arguments.add("--initial-advertise-peer-urls=http://127.0.0.1:0");
        arguments.add("--initial-cluster=node=http://127.0.0.1:0");
        arguments.add("--logger=zap");
        arguments.add("--log-outputs=stderr");
        arguments.add("--log-level=warn");
        arguments.add("--unsafe-no-fsync");
        if (options.hasTls()) {
            arguments.add(node.expand("--cert-file={files}/server.crt"));
            arguments.add(node.expand("--key-file={files}/server.key"));
        }
        options.settings().forEach(s -> arguments.add("--" + s.name() + "=" + node.expand(s.value())));
        return new Plan(List.copyOf(arguments), options.files(), options.dataFiles());
    }

    private static String clientUrls(String host, Node node, ServerOptions options) {
        String plain = "http://" + host + ":" + node.port();
        return options.hasTls() ? plain + ",https://" + host + ":" + node.tlsPort() : plain;
    }

    @Override
    public boolean answers(InetSocketAddress address) {
        return get(address, "/health").filter(text -> text.contains("\"true\"")).isPresent();
    }

    @Override
    public Optional<String> version(InetSocketAddress address) {
        return get(address, "/version")
                .map(VERSION::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1));
    }

    /** Whether the member leads: it then knows itself as the leader. */
    boolean leads(InetSocketAddress address) {
        String request = "POST /v3/maintenance/status HTTP/1.0\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}";
        Optional<Matcher> status = ask(address, request).map(STATUS::matcher).filter(Matcher::find);
        return status.filter(found -> found.group(1).equals(found.group(2))).isPresent();
    }

    private static Optional<String> get(InetSocketAddress address, String page) {
        return ask(address, "GET " + page + " HTTP/1.0\r\nHost: localhost\r\n\r\n");
    }

    private static Optional<String> ask(InetSocketAddress address, String request) {
        try (Wire wire = Wire.connect(address)) {
            return Optional.of(wire.send(request).readAll());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public Contents contents(InetSocketAddress address) {
        return new EtcdContents(address);
    }
}
