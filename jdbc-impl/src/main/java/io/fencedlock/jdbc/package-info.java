/**
 * Fences in SQL databases, through JDBC: {@link io.fencedlock.jdbc.JdbcFence} as a table of marks beside the user's own tables, {@link
 * io.fencedlock.jdbc.FenceColumns} as columns of the guarded row; and the designs that need no lock: {@link io.fencedlock.jdbc.RunOnce},
 * {@link io.fencedlock.jdbc.VersionedRows}, {@link io.fencedlock.jdbc.UniqueRows}, {@link io.fencedlock.jdbc.WorkItems}.
 */
@NullMarked
package io.fencedlock.jdbc;

import org.jspecify.annotations.NullMarked;
