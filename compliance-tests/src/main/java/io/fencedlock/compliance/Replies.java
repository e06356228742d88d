package io.fencedlock.compliance;

/** Tells from the bytes of a server where a reply ends. One for each connection; not thread-safe. */
interface Replies {

    /**
     * Looks at the next bytes.
     *
     * @return whether a reply ended in them
     */
    boolean ended(byte[] bytes, int count);

    /** For protocols of which a server speaks only to answer: Redis, ZooKeeper. */
    static Replies of(String scheme) {
        return scheme.startsWith("etcd") ? new Http2() : (bytes, count) -> true;
    }

    /** gRPC: before the answer come frames about windows and pings; its end is a HEADERS frame that ends the stream. */
    final class Http2 implements Replies {

        private static final int HEAD = 9;
        private static final int HEADERS = 1;
        private static final int END_STREAM = 1;

        private final byte[] head = new byte[HEAD];
        private int filled;
        private int rest;

        @Override
        public boolean ended(byte[] bytes, int count) {
            boolean ended = false;
            int at = 0;
            while (at < count) {
                if (rest > 0) {
                    int skipped = Math.min(rest, count - at);
                    rest -= skipped;
                    at += skipped;
                } else {
                    head[filled++] = bytes[at++];
                    if (filled == HEAD) {
                        filled = 0;
                        rest = (head[0] & 0xFF) << 16 | (head[1] & 0xFF) << 8 | (head[2] & 0xFF);
                        ended |= head[3] == HEADERS && (head[4] & END_STREAM) != 0;
                    }
                }
            }
            return ended;
        }
    }
}
