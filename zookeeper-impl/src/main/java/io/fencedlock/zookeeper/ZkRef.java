package io.fencedlock.zookeeper;

import io.fencedlock.BackendRef;

/** The path of the contender's node. */
record ZkRef(String path) implements BackendRef {}
