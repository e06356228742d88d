package io.fencedlock.benchmarks;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Lock;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.fencedlock.benchmarks.Subject.Trait;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What locks on etcd. */
final class EtcdSubjects {

    private EtcdSubjects() {}

    static List<Subject> all() {
        return List.of(
                Subject.of(
                        Floors.RAW,
                        (server, lease) -> raw(client(server.address().getPort()), lease),
                        Trait.ASYNC),
                FencedLockSubject.onAnyStore(),
                Subject.of(
                        "jetcd Lock",
                        (server, lease) -> jetcd(client(server.address().getPort()), lease),
                        Trait.WAITS,
                        Trait.RENEWS,
                        Trait.ASYNC));
    }

    static Client client(int port) {
        return Client.builder().endpoints("http://127.0.0.1:" + port).build();
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    static long lease(Client client, Duration lease) throws Exception {
        long id = client.getLeaseClient().grant(lease.toSeconds()).get().getID();
        client.getLeaseClient().keepAlive(id, new StreamObserver<LeaseKeepAliveResponse>() {
            @Override
            public void onNext(LeaseKeepAliveResponse value) {}

            @Override
            public void onError(Throwable t) {}

            @Override
            public void onCompleted() {}
        });
        return id;
    }

    /** Two transactions. */
    private static Subject.Client raw(Client client, Duration lease) throws Exception {
        KV kv = client.getKVClient();
        PutOption onLease =
                PutOption.builder().withLeaseId(lease(client, lease)).build();
        AtomicLong number = new AtomicLong();
        ByteSequence value = bytes("x".repeat(40));
        Subject.AsyncAcquirer acquirer = name -> {
            ByteSequence key = bytes("raw/" + name + "/" + number.incrementAndGet());
            return kv.txn()
                    .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
                    .Then(Op.put(key, value, onLease))
                    .commit()
                    .thenApply(answer -> () -> kv.txn()
                            .If(new Cmp(key, Cmp.Op.GREATER, CmpTarget.createRevision(0)))
                            .Then(Op.delete(key, DeleteOption.DEFAULT))
                            .commit()
                            .get());
        };
        return Subject.client(name -> acquirer.acquire(name).get(), acquirer, client);
    }

    /** One etcd lease with keep-alive for each thread, as its lock excludes leases only. */
    private static Subject.Client jetcd(Client client, Duration lease) {
        Lock lock = client.getLockClient();
        ThreadLocal<Long> leases = ThreadLocal.withInitial(() -> {
            try {
                return lease(client, lease);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Subject.AsyncAcquirer acquirer = name -> lock.lock(bytes(name), leases.get())
                .thenApply(response -> () -> lock.unlock(response.getKey()).get());
        return Subject.client(name -> acquirer.acquire(name).get(), acquirer, client);
    }
}
