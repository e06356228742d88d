package io.fencedlock.zookeeper;

import io.fencedlock.BackendRef;

/**
 * The contender's node.
 *
 * @param path where it stands
 * @param base what its data say of the base
 */
record ZkRef(String path, long base) implements BackendRef {}
