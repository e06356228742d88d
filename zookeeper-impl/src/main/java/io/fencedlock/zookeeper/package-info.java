/** FencedLock on ZooKeeper, with Curator. */
@NullMarked
package io.fencedlock.zookeeper;

import org.jspecify.annotations.NullMarked;
