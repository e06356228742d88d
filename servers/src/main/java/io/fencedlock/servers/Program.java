package io.fencedlock.servers;

import java.util.List;
import java.util.Map;

/**
 * A server program of this machine.
 *
 * @param command the words before the server's arguments
 * @param environment what it needs in its environment
 * @param version its version
 * @param origin where it is from, for people
 */
record Program(List<String> command, Map<String, String> environment, String version, String origin) {}
