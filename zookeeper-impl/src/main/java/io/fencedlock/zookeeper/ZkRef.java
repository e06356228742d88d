package io.fencedlock.zookeeper;

import io.fencedlock.BackendRef;

/**
 * The contender's node.
 *
 * @param path where it stands
 */
record ZkRef(String path) implements BackendRef {}
