/** Fences in SQL databases. */
@NullMarked
package io.fencedlock.jdbc;

import org.jspecify.annotations.NullMarked;
