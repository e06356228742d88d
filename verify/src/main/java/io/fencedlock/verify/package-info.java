/**
 * The compliance suite on throw-away servers: {@link io.fencedlock.verify.ServerTarget} is all that a backend's test, or the command line,
 * needs.
 */
@NullMarked
package io.fencedlock.verify;

import org.jspecify.annotations.NullMarked;
