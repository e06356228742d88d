/** FencedLock on etcd, with jetcd. */
@NullMarked
package io.fencedlock.etcd;

import org.jspecify.annotations.NullMarked;
