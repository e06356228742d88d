package io.fencedlock.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
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

    private static final char[] SECRET = PASSWORD.toCharArray();
    private static final String TYPE = "PKCS12";
    /** Where keytool puts all that it makes. */
    private static final String MADE = "made.p12";

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
            made.keytool("ca", "-ext", "bc:c");
            made.keytool("server", "-signer", "ca", "-ext", "san=dns:localhost,ip:127.0.0.1");
            made.keytool("client", "-signer", "ca", "-ext", "eku=clientAuth");
            made.export();
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

    /** Whatever keytool itself would do, it would do in a JVM of its own for each step. */
    private void export() throws IOException, GeneralSecurityException {
        KeyStore made = KeyStore.getInstance(TYPE);
        try (InputStream in = Files.newInputStream(folder.resolve(MADE))) {
            made.load(in, SECRET);
        }
        Certificate authority = made.getCertificate("ca");
        write("ca.crt", pem("CERTIFICATE", authority.getEncoded()));
        save("ca.p12", store -> store.setCertificateEntry("ca", authority));
        for (String name : List.of("server", "client")) {
            Key key = made.getKey(name, SECRET);
            Certificate[] chain = made.getCertificateChain(name);
            StringBuilder text = new StringBuilder();
            for (Certificate certificate : chain) {
                text.append(pem("CERTIFICATE", certificate.getEncoded()));
            }
            write(name + ".crt", text.toString());
            write(name + ".key", pem("PRIVATE KEY", key.getEncoded()));
            save(name + ".p12", store -> store.setKeyEntry(name, key, SECRET, chain));
        }
        Files.delete(folder.resolve(MADE));
    }

    private interface Filling {
        void into(KeyStore store) throws GeneralSecurityException;
    }

    private void save(String file, Filling filling) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(TYPE);
        store.load(null, null);
        filling.into(store);
        try (OutputStream out = Files.newOutputStream(folder.resolve(file))) {
            store.store(out, SECRET);
        }
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve(file), text);
    }

    private static String pem(String title, byte[] bytes) {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + title + "-----\n" + base64 + "\n-----END " + title + "-----\n";
    }

    /** Makes a key pair and its certificate, signed by itself or by another one. */
    private void keytool(String name, String... arguments) {
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.toString()));
        words.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        words.addAll(List.of("-genkeypair", "-alias", name, "-dname", "CN=fencedlock test " + name));
        words.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "1"));
        words.addAll(List.of("-keystore", MADE, "-storetype", TYPE, "-storepass", PASSWORD));
        words.addAll(List.of(arguments));
        Shell.Result result = Shell.run(LIMIT, words);
        if (!result.succeeded()) {
            throw new IllegalStateException("keytool failed to make " + name + ": " + result.lastLine());
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
