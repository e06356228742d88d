package io.fencedlock.compliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class RepliesTest {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;

    private static byte[] frame(int type, int flags, int length) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.writeBytes(new byte[] {0, (byte) (length >> 8), (byte) length, (byte) type, (byte) flags, 0, 0, 0, 1});
        frame.writeBytes(new byte[length]);
        return frame.toByteArray();
    }

    private static boolean ended(Replies replies, byte[] bytes) {
        return replies.ended(bytes, bytes.length);
    }

    @Test
    void etcd_aReplyEndsWithItsTrailers() {
        Replies replies = Replies.of("etcd");

        assertThat(ended(replies, frame(WINDOW_UPDATE, 0, 4))).isFalse();
        assertThat(ended(replies, frame(PING, 1, 8))).isFalse();
        assertThat(ended(replies, frame(HEADERS, 4, 14))).isFalse();
        assertThat(ended(replies, frame(DATA, 0, 300))).isFalse();
        assertThat(ended(replies, frame(HEADERS, 5, 24))).isTrue();
    }

    @Test
    void etcd_framesComeInPieces() {
        Replies replies = Replies.of("etcd");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(frame(HEADERS, 4, 14));
        all.writeBytes(frame(DATA, 0, 1000));
        all.writeBytes(frame(HEADERS, 5, 0));
        byte[] bytes = all.toByteArray();

        for (int i = 0; i < bytes.length; i++) {
            boolean ended = replies.ended(new byte[] {bytes[i]}, 1);
            assertThat(ended).as("byte " + i).isEqualTo(i == bytes.length - 1);
        }
    }

    @Test
    void redis_everythingIsAReply() {
        assertThat(ended(Replies.of("redis"), "+OK\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII)))
                .isTrue();
    }
}
