package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.TxnRequest;
import io.fencedlock.Endpoint;
import io.fencedlock.LockClock;
import io.fencedlock.servers.Server;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A second client that looks at what the first one left on the server, and takes things away from it. */
final class EtcdProbe implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final EtcdChannels channels;
    private final EtcdClient client;
    private final URI leases;

    EtcdProbe(Server server) {
        this(server, Optional.empty());
    }

    EtcdProbe(Server server, Optional<EtcdLogin> login) {
        LockClock clock = LockClock.system();
        Endpoint endpoint = new Endpoint("127.0.0.1", server.address().getPort());
        leases = URI.create("http://" + endpoint + "/v3/lease/leases");
        channels = new EtcdChannels(List.of(endpoint), Optional.empty(), Optional.empty(), LIMIT, clock, () -> {});
        client =
                new EtcdClient(channels, login.orElse(new EtcdLogin(Optional.empty(), Optional.empty())), clock, LIMIT);
    }

    EtcdClient client() {
        return client;
    }

    <Q, A> A call(MethodDescriptor<Q, A> method, Q question) {
        return client.call(method, question).join();
    }

    List<String> keys(String prefix) {
        ByteString start = ByteString.copyFromUtf8(prefix + "/");
        return client
                .range(RangeRequest.newBuilder().setKey(start).setRangeEnd(EtcdKeys.end(start)))
                .join()
                .getKvsList()
                .stream()
                .map(kv -> kv.getKey().toStringUtf8())
                .toList();
    }

    /** The entries of all queues under a prefix. */
    List<String> entries(String prefix) {
        return keys(prefix + "/locks");
    }

    /** By the server's HTTP door: jetcd's form of the protocol lacks the request. */
    List<Long> etcdLeases() {
        HttpRequest ask = HttpRequest.newBuilder(leases)
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try {
            String answer = HttpClient.newHttpClient()
                    .send(ask, HttpResponse.BodyHandlers.ofString())
                    .body();
            return Pattern.compile("\"ID\":\"(\\d+)\"")
                    .matcher(answer)
                    .results()
                    .map(found -> Long.valueOf(found.group(1)))
                    .toList();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    long etcdLeaseOf(String key) {
        return client.range(RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8(key)))
                .join()
                .getKvs(0)
                .getLease();
    }

    long revision() {
        return client.range(RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8("x")))
                .join()
                .getHeader()
                .getRevision();
    }

    /** Takes all that was before now from the server's memory. */
    void compact() {
        call(
                KVGrpc.getCompactMethod(),
                CompactionRequest.newBuilder().setRevision(revision()).build());
    }

    void delete(String key) {
        client.txn(TxnRequest.newBuilder().addSuccess(Ops.delete(ByteString.copyFromUtf8(key))))
                .join();
    }

    void put(String key, String value) {
        put(key, value, 0);
    }

    void put(String key, String value, long etcdLease) {
        client.txn(TxnRequest.newBuilder()
                        .addSuccess(Ops.put(ByteString.copyFromUtf8(key), ByteString.copyFromUtf8(value), etcdLease)))
                .join();
    }

    @Override
    public void close() {
        channels.close();
    }
}
