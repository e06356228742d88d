/** Measures fencedlock, its peers and the raw drivers side by side on real servers. An application, never published. */
@NullMarked
package io.fencedlock.benchmarks;

import org.jspecify.annotations.NullMarked;
