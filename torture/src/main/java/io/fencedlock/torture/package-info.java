/**
 * Torture: processes contend for locks and write through a fence while servers, processes and connections are broken under them, and every
 * event is checked. Begin at {@link io.fencedlock.torture.Torture}.
 */
@NullMarked
package io.fencedlock.torture;

import org.jspecify.annotations.NullMarked;
