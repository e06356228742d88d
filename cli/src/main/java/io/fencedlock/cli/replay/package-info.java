/** Plays the timelines of the article with worker processes on real stores, and tells them as text, JSON and pictures. */
@NullMarked
package io.fencedlock.cli.replay;

import org.jspecify.annotations.NullMarked;
