package io.fencedlock.servers;

/**
 * Where one server lives, as it sees the world itself: inside a container the folders and the address to listen on differ from those
 * of a process.
 *
 * @param host the address at which clients find it
 * @param listen the address to listen on
 * @param port the port for clients, the same inside and outside
 * @param tlsPort the port for clients with TLS, used only if the options ask for it
 * @param data the folder of its data
 * @param files the folder of its configuration
 */
record Node(String host, String listen, int port, int tlsPort, String data, String files) {
    /** Puts the folder of files where a setting refers to it. */
    String expand(String value) {
        return value.replace("{files}", files);
    }
}
