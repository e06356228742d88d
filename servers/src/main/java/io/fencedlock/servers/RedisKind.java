package io.fencedlock.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Redis: a configuration file, and PING. */
final class RedisKind implements Kind {
    @Override
    public Store store() {
        return Store.REDIS;
    }

    @Override
    public Plan plan(Node node, ServerOptions options) {
        StringBuilder conf = new StringBuilder();
        conf.append("bind ").append(node.listen()).append('\n');
        conf.append("protected-mode no\n");
        conf.append("port ").append(node.port()).append('\n');
        conf.append("dir ").append(node.data()).append('\n');
        conf.append("save \"\"\nappendonly yes\nappendfsync always\n");
        if (options.hasTls()) {
            conf.append("tls-port ").append(node.tlsPort()).append('\n');
            conf.append(node.expand("tls-cert-file {files}/server.crt\ntls-key-file {files}/server.key\n"));
            conf.append(node.expand("tls-ca-cert-file {files}/ca.crt\ntls-auth-clients no\n"));
        }
        options.settings()
                .forEach(s -> conf.append(s.name())
                        .append(' ')
                        .append(node.expand(s.value()))
                        .append('\n'));
        Map<String, byte[]> files = new LinkedHashMap<>(options.files());
        files.put("redis.conf", conf.toString().getBytes(StandardCharsets.UTF_8));
        return new Plan(List.of(node.files() + "/redis.conf"), files, options.dataFiles());
    }

    /** A refusal for want of a password is an answer, too; "LOADING" is not. */
    @Override
    public boolean answers(InetSocketAddress address) {
        try (Wire wire = Wire.connect(address)) {
            String reply = wire.send("PING\r\n").readLine();
            return reply.startsWith("+PONG") || reply.startsWith("-NOAUTH") || reply.startsWith("-NOPERM");
        } catch (IOException e) {
            return false;
        }
    }

    /** The first words of ROLE: master, or slave with its primary's address and the state of the link. */
    static String role(OwnServer node) {
        List<String> words = Resp.askOrNothing(node.address(), "ROLE").lines().toList();
        if (words.isEmpty()) {
            return "does not answer";
        }
        return words.get(0).equals("slave") ? String.join(" ", words) : words.get(0);
    }

    @Override
    public Optional<String> version(InetSocketAddress address) {
        try (Wire wire = Wire.connect(address)) {
            wire.send("INFO server\r\n");
            String line = wire.readLine();
            while (!line.startsWith("-") && !line.startsWith("redis_version:")) {
                line = wire.readLine();
            }
            return line.startsWith("-") ? Optional.empty() : Optional.of(line.substring(line.indexOf(':') + 1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public Contents contents(InetSocketAddress address) {
        return new RedisContents(address);
    }
}
