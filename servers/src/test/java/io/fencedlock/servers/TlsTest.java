package io.fencedlock.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(ExecutionMode.CONCURRENT)
class TlsTest {
    private static Certificates certificates;

    @BeforeAll
    static void make() {
        certificates = Certificates.make();
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "ETCD", "ZOOKEEPER"})
    void tlsPort_speaksWithWhoeverTrustsTheAuthority(Store store) throws Exception {
        try (Server server = Servers.start(store, ServerOptions.defaults().tls(certificates))) {
            assertThat(server.tlsUrl()).startsWith(store.tlsScheme() + "://127.0.0.1:");
            assertThat(ask(server, trusting(certificates))).contains(answer(store));
            server.awaitReady(Duration.ofSeconds(60));
            assertThatThrownBy(() -> ask(server, SSLContext.getDefault())).isInstanceOf(SSLHandshakeException.class);
        }
    }

    private static String question(Store store) {
        return switch (store) {
            case REDIS -> "PING\r\nQUIT\r\n";
            case ETCD -> "GET /health HTTP/1.0\r\n\r\n";
            case ZOOKEEPER -> "srvr";
            case POSTGRESQL, MARIADB -> throw new IllegalArgumentException("no TLS in the clear: " + store);
        };
    }

    private static String answer(Store store) {
        return switch (store) {
            case REDIS -> "+PONG";
            case ETCD -> "\"true\"";
            case ZOOKEEPER -> "Mode: standalone";
            case POSTGRESQL, MARIADB -> throw new IllegalArgumentException("no TLS in the clear: " + store);
        };
    }

    private static String ask(Server server, SSLContext context) throws IOException {
        int port = server.tlsAddress().orElseThrow().getPort();
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.setSoTimeout(60_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS"); // checks the name, too
            socket.setSSLParameters(parameters);
            socket.getOutputStream().write(question(server.store()).getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static SSLContext trusting(Certificates authority) throws GeneralSecurityException, IOException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(authority.file("ca.p12"))) {
            trust.load(in, Certificates.PASSWORD.toCharArray());
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trust);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
