/** The lock, the SPI of its backends and the engine between them, with an in-memory backend. */
@NullMarked
package io.fencedlock;

import org.jspecify.annotations.NullMarked;
