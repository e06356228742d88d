package io.fencedlock.zookeeper;

/**
 * Where a contender's node stands.
 *
 * @param session on whose life the node depends
 * @param path the node
 * @param zxid the node's creation zxid
 */
record Place(ZkSession session, String path, long zxid) {}
