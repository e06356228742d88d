package io.fencedlock.benchmarks.peers;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Versions of libraries, from what Maven leaves in their jars. */
final class Versions {

    private Versions() {}

    /** {@code redisson 4.7.0}; by the jar's file name where Maven left nothing. */
    static String of(Class<?> anyOfIt, String group, String artifact) {
        String path = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
        try (InputStream in = anyOfIt.getResourceAsStream(path)) {
            if (in != null) {
                Properties properties = new Properties();
                properties.load(in);
                return artifact + " " + properties.getProperty("version");
            }
        } catch (IOException e) {
            throw new IllegalStateException("the version of " + artifact + " cannot be read", e);
        }
        String jar = anyOfIt.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.substring(jar.lastIndexOf('/') + 1).replace(".jar", "").replace(artifact + "-", artifact + " ");
    }
}
