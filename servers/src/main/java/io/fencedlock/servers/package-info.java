/** Throw-away real servers for tests and demos. */
@NullMarked
package io.fencedlock.servers;

import org.jspecify.annotations.NullMarked;
