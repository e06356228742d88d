/** Locks and fenced values on Redis. Only {@link io.fencedlock.redis.RedisProvider} is public. */
@NullMarked
package io.fencedlock.redis;

import org.jspecify.annotations.NullMarked;
