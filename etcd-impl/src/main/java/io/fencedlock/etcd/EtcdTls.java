package io.fencedlock.etcd;

import io.fencedlock.BackendConfig;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.Option;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;

/** Reads the options about TLS. */
final class EtcdTls {

    private static final List<Option<String>> NEED_TLS =
            List.of(EtcdProvider.TLS_CA, EtcdProvider.TLS_CERT, EtcdProvider.TLS_KEY, EtcdProvider.AUTHORITY);

    /** What is checked of the server's certificate. */
    enum Verify {
        /** That it is trusted and names the host. */
        FULL,
        /** That it is trusted. */
        CA,
        /** Nothing: for tests only. */
        NONE
    }

    private EtcdTls() {}

    /**
     * How to encrypt.
     *
     * @return empty without TLS
     * @throws LockConfigurationException if files are missing, or options are given that do not go together
     */
    static Optional<SslContext> of(BackendConfig config) {
        if (!config.scheme().equals(EtcdProvider.TLS_SCHEME)) {
            NEED_TLS.stream()
                    .filter(o -> config.find(o).isPresent())
                    .findFirst()
                    .ifPresent(o -> {
                        throw wrong("option " + o.name() + " needs the scheme " + EtcdProvider.TLS_SCHEME + ", found "
                                + config.scheme());
                    });
            return Optional.empty();
        }
        Optional<File> certificate = file(config, EtcdProvider.TLS_CERT);
        Optional<File> key = file(config, EtcdProvider.TLS_KEY);
        if (certificate.isPresent() != key.isPresent()) {
            throw wrong("options tls-cert and tls-key are given together or not at all, found only "
                    + (key.isPresent() ? "tls-key" : "tls-cert"));
        }
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient();
            Optional<File> authorities = file(config, EtcdProvider.TLS_CA);
            switch (config.get(EtcdProvider.TLS_VERIFY)) {
                case FULL -> authorities.ifPresent(builder::trustManager);
                case CA -> builder.trustManager(TrustForAnyHost.in(authorities));
                case NONE -> builder.trustManager(InsecureTrustManagerFactory.INSTANCE);
            }
            certificate.ifPresent(file -> builder.keyManager(file, key.orElseThrow()));
            return Optional.of(builder.build());
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new LockConfigurationException(
                    "a file of the options tls-ca, tls-cert or tls-key cannot be used: " + e.getMessage(), e);
        }
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

    private static LockConfigurationException wrong(String message) {
        return new LockConfigurationException(message, null);
    }
}
