package io.fencedlock.redis;

import io.fencedlock.BackendConfig;
import io.fencedlock.LockConfigurationException;
import io.fencedlock.Option;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a TLS connection trusts, and what it shows of itself. */
record TlsSettings(Verify verify, SslOptions ssl) {

    /** What is checked of the server's certificate. */
    enum Verify {
        /** That it is trusted and names the host. */
        FULL,
        /** That it is trusted. */
        CA,
        /** Nothing: for tests only. */
        NONE
    }

    private static final List<Option<String>> NEED_TLS =
            List.of(RedisProvider.TLS_CA, RedisProvider.TLS_CERT, RedisProvider.TLS_KEY);

    /**
     * Reads the options.
     *
     * @return empty without TLS
     * @throws LockConfigurationException if files are missing, or options are given that do not go together
     */
    static Optional<TlsSettings> of(BackendConfig config, boolean tls) {
        if (!tls) {
            NEED_TLS.stream()
                    .filter(o -> config.find(o).isPresent())
                    .findFirst()
                    .ifPresent(o -> {
                        throw wrong("option " + o.name()
                                + " needs a TLS scheme (rediss, rediss-sentinel, rediss-cluster, redlocks), found "
                                + config.scheme());
                    });
            return Optional.empty();
        }
        SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
        @Nullable File ca = file(config, RedisProvider.TLS_CA);
        if (ca != null) {
            ssl.trustManager(ca);
        }
        identity(config, ssl);
        return Optional.of(new TlsSettings(config.get(RedisProvider.TLS_VERIFY), ssl.build()));
    }

    SslVerifyMode verifyMode() {
        return switch (verify) {
            case FULL -> SslVerifyMode.FULL;
            case CA -> SslVerifyMode.CA;
            case NONE -> SslVerifyMode.NONE;
        };
    }

    private static void identity(BackendConfig config, SslOptions.Builder ssl) {
        @Nullable File certificate = file(config, RedisProvider.TLS_CERT);
        @Nullable File key = file(config, RedisProvider.TLS_KEY);
        if (certificate != null && key != null) {
            ssl.keyManager(certificate, key, new char[0]);
        } else if (certificate != null || key != null) {
            throw wrong("options tls-cert and tls-key are given together or not at all, found only "
                    + Stream.of(RedisProvider.TLS_CERT, RedisProvider.TLS_KEY)
                            .filter(o -> config.find(o).isPresent())
                            .map(Option::name)
                            .findFirst()
                            .orElse("none"));
        }
    }

    private static @Nullable File file(BackendConfig config, Option<String> option) {
        Optional<String> path = config.find(option);
        if (path.isEmpty()) {
            return null;
        }
        File file = new File(path.get());
        if (!file.isFile() || !file.canRead()) {
            throw wrong("option " + option.name() + " names a readable file, found \"" + path.get() + "\"");
        }
        return file;
    }

    private static LockConfigurationException wrong(String message) {
        return new LockConfigurationException(message, null);
    }
}
