package io.fencedlock.zookeeper;

import io.fencedlock.BackendConfig;
import io.fencedlock.HolderId;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.Option;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.util.PemReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The options about TLS, checked, and put into the driver's words. */
final class ZkTls {

    static final Option<String> CA =
            Option.text("tls-ca", null, "PEM file of the certificates to trust; default: those of the JVM.");
    static final Option<String> CERT =
            Option.text("tls-cert", null, "PEM file of the certificate to show to the server, with tls-key.");
    static final Option<String> KEY =
            Option.text("tls-key", null, "PEM file of the unencrypted PKCS#8 key of tls-cert.");

    static final List<Option<String>> OPTIONS = List.of(CA, CERT, KEY);

    private static final Logger LOG = LoggerFactory.getLogger(ZkTls.class);
    private static final String SCHEME = "zookeepers";
    private static final String STORE = "PKCS12";
    private static final String KEY_STORE = "zookeeper.ssl.keyStore.location";

    private ZkTls() {}

    /**
     * Tells the driver to encrypt, if the URL asks for it.
     *
     * @throws LockConfigurationException if files cannot be used, or options are given that do not go together
     */
    static void apply(BackendConfig config, ZKClientConfig driver) {
        if (!config.scheme().equals(SCHEME)) {
            OPTIONS.stream()
                    .filter(option -> config.find(option).isPresent())
                    .findFirst()
                    .ifPresent(option -> {
                        throw wrong("option " + option.name() + " needs the scheme " + SCHEME + ", found "
                                + config.scheme());
                    });
            return;
        }
        driver.setProperty("zookeeper.client.secure", "true");
        driver.setProperty("zookeeper.clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
        file(config, CA).ifPresent(file -> trust(driver, file));
        Optional<File> certificate = file(config, CERT);
        Optional<File> key = file(config, KEY);
        if (certificate.isPresent() != key.isPresent()) {
            throw wrong("options tls-cert and tls-key are given together or not at all, found only "
                    + (key.isPresent() ? "tls-key" : "tls-cert"));
        }
        certificate.ifPresent(file -> show(driver, file, key.orElseThrow()));
    }

    private static Optional<File> file(BackendConfig config, Option<String> option) {
        return config.find(option).map(path -> {
            File file = new File(path);
            if (!file.isFile() || !file.canRead()) {
                throw wrong("option " + option.name() + " names a readable file, found \"" + path + "\"");
            }
            return file;
        });
    }

    private static void trust(ZKClientConfig driver, File certificates) {
        chain(CA, certificates);
        driver.setProperty("zookeeper.ssl.trustStore.location", certificates.getPath());
        driver.setProperty("zookeeper.ssl.trustStore.type", "PEM");
    }

    /**
     * The driver wants certificate and key in one file, which it reads again each time it connects. So it gets one of ours, which this user alone may
     * read, and which, should it stay behind, tells nobody the key: its password is random and kept in memory only.
     */
    private static void show(ZKClientConfig driver, File certificate, File key) {
        X509Certificate[] chain = chain(CERT, certificate).toArray(X509Certificate[]::new);
        PrivateKey secret = secret(key);
        String password = HolderId.random().value();
        try {
            KeyStore store = KeyStore.getInstance(STORE);
            store.load(null, null);
            store.setKeyEntry("client", secret, password.toCharArray(), chain);
            Path file = Files.createTempFile("fencedlock", ".p12");
            file.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(file)) {
                store.store(out, password.toCharArray());
            }
            driver.setProperty(KEY_STORE, file.toString());
        } catch (IOException | GeneralSecurityException e) {
            throw new LockConfigurationException(
                    "no key store can be made of the files of tls-cert and tls-key: " + e, e);
        }
        driver.setProperty("zookeeper.ssl.keyStore.type", STORE);
        driver.setProperty("zookeeper.ssl.keyStore.password", password);
    }

    /** Deletes what was made for the driver, which connects no more. */
    static void clear(ZKClientConfig driver) {
        String file = driver.getProperty(KEY_STORE);
        try {
            if (file != null && STORE.equals(driver.getProperty("zookeeper.ssl.keyStore.type"))) {
                Files.deleteIfExists(Path.of(file));
            }
        } catch (IOException e) {
            LOG.warn("file {} cannot be deleted", file, e);
        }
    }

    private static List<X509Certificate> chain(Option<String> option, File file) {
        try {
            List<X509Certificate> found = PemReader.readCertificateChain(file);
            if (!found.isEmpty()) {
                return found;
            }
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(option, "certificates", file, e);
        }
        throw unusable(option, "certificates", file, null);
    }

    private static PrivateKey secret(File file) {
        try {
            return PemReader.loadPrivateKey(file, Optional.empty());
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw unusable(KEY, "an unencrypted PKCS#8 key", file, e);
        }
    }

    private static LockConfigurationException unusable(
            Option<String> option, String what, File file, @Nullable Exception cause) {
        return new LockConfigurationException(
                "option " + option.name() + " names a PEM file of " + what + ", found something else in \"" + file
                        + "\"",
                cause);
    }

    private static LockConfigurationException wrong(String message) {
        return new LockConfigurationException(message, null);
    }
}
