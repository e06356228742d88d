package io.fencedlock.torture;

import io.fencedlock.servers.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** etcd, by its keys and its JSON gateway. */
final class EtcdAdmin implements StoreAdmin {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"(\\d+)\"");

    private final List<Server> nodes;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    EtcdAdmin(List<Server> nodes) {
        this.nodes = nodes;
    }

    private String ask(Server node, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + node.address().getPort() + "/v3/" + path))
                .timeout(LIMIT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(node + " refuses " + path + ": " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(node + " does not answer " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("interrupted").initCause(e);
        }
    }

    @Override
    public long entries() {
        return nodes.get(0).contents().keys().stream()
                .filter(key -> key.startsWith("fencedlock/locks/"))
                .count();
    }

    @Override
    public void loseCounter() {
        nodes.get(0).contents().delete("fencedlock/base");
    }

    @Override
    public void failOver(Arena arena) {
        Server leader = arena.leader();
        Server next =
                nodes.stream().filter(node -> !node.equals(leader)).findFirst().orElseThrow();
        Matcher id = MEMBER.matcher(ask(next, "maintenance/status", "{}"));
        if (id.find()) {
            ask(leader, "maintenance/transfer-leadership", "{\"targetID\":\"" + id.group(1) + "\"}");
        }
    }
}
