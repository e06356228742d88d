package io.fencedlock.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A certificate authority made for one test, and what it signed: a server certificate for localhost and 127.0.0.1, and a client
 * certificate. Made by the keytool of this JDK, valid for a day; the folder goes with this JVM.
 *
 * <p>Immutable and thread-safe. Files: {@code ca.crt} (PEM), {@code ca.p12} (trust store), and for the server and the client each
 * {@code .crt} (PEM), {@code .key} (PEM, PKCS#8), {@code .p12} (key store). All stores have the password {@link #PASSWORD}.
 */
public final class Certificates {
    /** The password of the key stores and the trust store, which protect nothing. */
    public static final String PASSWORD = "changeit";

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Path folder;

    private Certificates(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes a new authority and its certificates; takes some seconds.
     *
     * @return the certificates
     * @throws IllegalStateException if keytool fails
     */
    public static Certificates make() {
        Certificates made = new Certificates(Watchdog.get().newFolder("certificates"));
        try {
            made.authority();
            made.signed("server", "san=dns:localhost,ip:127.0.0.1");
            made.signed("client", "eku=clientAuth");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the certificates that keytool made cannot be read", e);
        }
        return made;
    }

    /**
     * One of the files.
     *
     * @param name for example {@code ca.crt}
     * @return its path
     * @throws IllegalArgumentException if there is no such file
     */
    public Path file(String name) {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    "no file " + name + "; there are ca, server and client with .crt and .p12, and .key");
        }
        return file;
    }

    byte[] bytes(String name) {
        try {
            return Files.readAllBytes(file(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void authority() throws IOException, GeneralSecurityException {
        keytool(
                "-genkeypair",
                "-alias",
                "ca",
                "-keystore",
                "issuer.p12",
                "-dname",
                "CN=fencedlock test authority",
                "-ext",
                "bc:c");
        keytool("-exportcert", "-rfc", "-alias", "ca", "-keystore", "issuer.p12", "-file", "ca.crt");
        keytool("-importcert", "-noprompt", "-alias", "ca", "-keystore", "ca.p12", "-file", "ca.crt");
    }

    private void signed(String name, String extension) throws IOException, GeneralSecurityException {
        String store = name + ".p12";
        keytool("-genkeypair", "-alias", name, "-keystore", store, "-dname", "CN=" + name);
        keytool("-certreq", "-alias", name, "-keystore", store, "-file", name + ".csr");
        keytool(
                "-gencert",
                "-rfc",
                "-alias",
                "ca",
                "-keystore",
                "issuer.p12",
                "-infile",
                name + ".csr",
                "-outfile",
                name + ".crt",
                "-ext",
                extension);
        keytool("-importcert", "-noprompt", "-alias", "ca", "-keystore", store, "-file", "ca.crt");
        keytool("-importcert", "-noprompt", "-alias", name, "-keystore", store, "-file", name + ".crt");
        exportKey(name);
    }

    /** keytool gives no private key away, but the key store does. */
    private void exportKey(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        String key =
                pem("PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded());
        StringBuilder chain = new StringBuilder();
        for (Certificate certificate : store.getCertificateChain(name)) {
            chain.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        Files.writeString(folder.resolve(name + ".key"), key);
        Files.writeString(folder.resolve(name + ".crt"), chain);
    }

    private static String pem(String title, byte[] bytes) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + title + "-----\n" + base64 + "\n-----END " + title + "-----\n";
    }

    private void keytool(String verb, String... arguments) {
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.toString()));
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        words.add(verb);
        words.addAll(List.of(arguments));
        words.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        if (verb.equals("-genkeypair")) {
            words.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "1"));
        }
        Shell.Result result = Shell.run(LIMIT, words);
        if (!result.succeeded()) {
            throw new IllegalStateException("keytool " + verb + " failed: " + result.lastLine());
        }
    }

    /** The files by which every kind of server is told its key. */
    Map<String, byte[]> serverFiles() {
        String key = new String(bytes("server.key"), StandardCharsets.US_ASCII);
        String chain = new String(bytes("server.crt"), StandardCharsets.US_ASCII);
        return Map.of(
                "ca.crt", bytes("ca.crt"),
                "server.crt", bytes("server.crt"),
                "server.key", bytes("server.key"),
                "ca.pem", bytes("ca.crt"), // ZooKeeper tells the format by the name's end
                "server.pem", (key + chain).getBytes(StandardCharsets.US_ASCII));
    }
}
