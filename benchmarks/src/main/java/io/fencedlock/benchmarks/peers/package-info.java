/** Lock libraries of others under the compliance suite, used as their documentation says. Never published; a report, no test. */
@NullMarked
package io.fencedlock.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
