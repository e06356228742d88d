/** The command line of fencedlock. */
@NullMarked
package io.fencedlock.cli;

import org.jspecify.annotations.NullMarked;
