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
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What locks on etcd. */
final class EtcdSubjects {

    private static final long LEASE_SECONDS = 15;

    private EtcdSubjects() {}

    static List<Subject> all() {
        return List.of(
                Subject.of("raw", false, server -> raw(client(server.address().getPort()))),
                FencedLockSubject.onAnyStore(),
                Subject.of(
                        "jetcd Lock",
                        true,
                        server -> jetcd(client(server.address().getPort()))));
    }

    private static Client client(int port) {
        return Client.builder().endpoints("http://127.0.0.1:" + port).build();
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    private static long lease(Client client) throws Exception {
        long id = client.getLeaseClient().grant(LEASE_SECONDS).get().getID();
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
    private static Subject.Client raw(Client client) throws Exception {
        KV kv = client.getKVClient();
        PutOption onLease = PutOption.builder().withLeaseId(lease(client)).build();
        AtomicLong number = new AtomicLong();
        ByteSequence value = bytes("x".repeat(40));
        return Subject.client(
                name -> {
                    ByteSequence key = bytes("raw/" + name + "/" + number.incrementAndGet());
                    kv.txn()
                            .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.createRevision(0)))
                            .Then(Op.put(key, value, onLease))
                            .commit()
                            .get();
                    return () -> kv.txn()
                            .If(new Cmp(key, Cmp.Op.GREATER, CmpTarget.createRevision(0)))
                            .Then(Op.delete(key, DeleteOption.DEFAULT))
                            .commit()
                            .get();
                },
                client);
    }

    /** One etcd lease with keep-alive for each thread, as its lock excludes leases only. */
    private static Subject.Client jetcd(Client client) {
        Lock lock = client.getLockClient();
        ThreadLocal<Long> leases = ThreadLocal.withInitial(() -> {
            try {
                return lease(client);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        return Subject.client(
                name -> {
                    ByteSequence key =
                            lock.lock(bytes(name), leases.get()).get().getKey();
                    return () -> lock.unlock(key).get();
                },
                client);
    }
}
