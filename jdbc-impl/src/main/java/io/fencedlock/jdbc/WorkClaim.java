package io.fencedlock.jdbc;

import io.fencedlock.FenceMark;

/**
 * An item of work that somebody claimed.
 *
 * @param item the item
 * @param mark the claim's own fence: how often the item was claimed, and by whom this time
 */
public record WorkClaim(String item, FenceMark mark) {}
