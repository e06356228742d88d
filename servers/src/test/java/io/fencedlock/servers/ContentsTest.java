package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContentsTest {

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ZOOKEEPER", "ETCD"})
    void keys_areSeenAndDeleted(Store store) throws Exception {
        try (Server server = Servers.start(store, ServerOptions.defaults().throwAway())) {
            String key = store == Store.ZOOKEEPER ? "/k" : "k";
            assertThat(server.contents().keys()).isEmpty();

            OneValue.write(server, "value");
            assertThat(server.contents().keys()).containsExactly(key);

            server.contents().delete(key);
            assertThat(server.contents().keys()).isEmpty();
            assertThat(OneValue.read(server)).isEmpty();
            server.contents().delete(key);
        }
    }

    @Test
    void delete_takesWhatIsBelowAZnode() throws Exception {
        try (Server server =
                Servers.start(Store.ZOOKEEPER, ServerOptions.defaults().throwAway())) {
            try (RawZooKeeper session = new RawZooKeeper(server.address())) {
                session.create("/a", "");
                session.create("/a/b", "");
                session.create("/a/b/c", "");
                session.create("/d", "");
            }

            server.contents().delete("/a");

            assertThat(server.contents().keys()).containsExactly("/d");
        }
    }

    @Test
    void contents_ofAGivenServerAreNotOurs() {
        Server given = GivenServer.of(Store.REDIS, "redis://127.0.0.1:1");
        assertThatThrownBy(given::contents).isInstanceOf(UnsupportedOperationException.class);
    }
}
