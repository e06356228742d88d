package io.fencedlock;

/**
 * A server's address. Immutable and thread-safe.
 *
 * @param host a name, an IPv4 address, or an IPv6 address without brackets
 * @param port from 1 to 65535
 */
public record Endpoint(String host, int port) {
    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
