package io.fencedlock;

import java.time.Instant;

/**
 * A mark as a fence keeps it. A snapshot: it may be out of date when it arrives. Immutable and thread-safe.
 *
 * @param resource what it guards
 * @param mark the highest token accepted, with its holder, or without one if an operator raised it
 * @param usedAt when it was last shown and accepted, or raised: by the store's clock, or the writer's where a store tells no time (etcd)
 */
public record MarkInfo(String resource, FenceMark mark, Instant usedAt) {}
