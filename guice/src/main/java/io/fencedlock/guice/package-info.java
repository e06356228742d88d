/** Guice bindings of fencedlock. */
@NullMarked
package io.fencedlock.guice;

import org.jspecify.annotations.NullMarked;
