package io.fencedlock.jdbc;

import io.fencedlock.FenceMark;
import java.time.Instant;

/**
 * A mark as it stands in the table.
 *
 * @param resource what it guards
 * @param mark the highest token accepted, with its holder, or without one if an operator raised it
 * @param entries how often the fence was entered
 * @param changedAt when it was last entered or raised, by the database's clock
 */
public record StoredMark(String resource, FenceMark mark, long entries, Instant changedAt) {}
