package io.fencedlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Lettuce, ZooKeeper and jetcd ask for three different versions of Netty; a mix of them fails at the first connection. */
class OneNettyTest {
    @Test
    void allDriversTogetherRunOnOneNettyVersion() throws IOException {
        Map<String, String> versionByArtifact = nettyOnTheClassPath();

        assertThat(versionByArtifact)
                .containsKeys("netty-common", "netty-handler", "netty-codec-http2", "netty-resolver-dns");
        assertThat(versionByArtifact.values()).containsOnly(System.getProperty("fencedlock.netty.version"));
    }

    private static Map<String, String> nettyOnTheClassPath() throws IOException {
        Map<String, String> versionByArtifact = new TreeMap<>();
        for (URL jarsOwn : Collections.list(
                OneNettyTest.class.getClassLoader().getResources("META-INF/io.netty.versions.properties"))) {
            Properties properties = new Properties();
            try (InputStream in = jarsOwn.openStream()) {
                properties.load(in);
            }
            for (String key : properties.stringPropertyNames()) {
                if (key.endsWith(".version")) {
                    versionByArtifact.put(key.replace(".version", ""), properties.getProperty(key));
                }
            }
        }
        return versionByArtifact;
    }
}
