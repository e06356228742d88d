/** FencedLock on Redis, with Lettuce. */
@NullMarked
package io.fencedlock.redis;

import org.jspecify.annotations.NullMarked;
