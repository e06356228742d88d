/**
 * FencedLock on etcd 3.4 and newer: a queue of our own from transactions, watches and one etcd lease, never the server's lock service.
 *
 * <p>It speaks etcd's protocol in jetcd's form ({@code jetcd-grpc}) over a gRPC channel of its own. jetcd's client on top of it is not used:
 * its calls have no deadline, it reconnects after up to two minutes, opens a stream for each watch, and knows no comparison over a range.
 *
 * <p>Inside, {@code etcdLease} is etcd's lease, on which keys live; a {@link io.fencedlock.Lease} is a user's.
 */
@NullMarked
package io.fencedlock.etcd;

import org.jspecify.annotations.NullMarked;
