/** The compliance suite for any backend of fencedlock. */
@NullMarked
package io.fencedlock.compliance;

import org.jspecify.annotations.NullMarked;
