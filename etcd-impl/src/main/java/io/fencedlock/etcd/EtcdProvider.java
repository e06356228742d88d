package io.fencedlock.etcd;

import io.fencedlock.BackendConfig;
import io.fencedlock.FencedLockBackend;
import io.fencedlock.FencedLockProvider;
import io.fencedlock.FencedRegister;
import io.fencedlock.Option;
import java.util.List;
import java.util.Map;

/**
 * Opens locks on etcd 3.4 or newer: {@code etcd://[user:password@]host:port[,host:port…][/prefix]}, and {@code etcds://} for TLS. All endpoints are
 * members of one cluster; one is used at a time, another one when it fails. The path is the prefix of all keys, {@code fencedlock} if there is none.
 * Thread-safe; does not block.
 */
public final class EtcdProvider implements FencedLockProvider {

    static final String TLS_SCHEME = "etcds";

    static final Option<TokenSource> TOKENS = Option.choice(
            "tokens",
            TokenSource.class,
            "clock",
            "Where tokens come from: clock survives the loss of etcd's data, revision is etcd's create revision.");
    static final Option<EtcdSessions.Scope> ETCD_LEASE = Option.choice(
            "etcd-lease",
            EtcdSessions.Scope.class,
            "client",
            "What keeps locks alive: one etcd lease for the client, or one for each lock with its own lease time.");
    static final Option<String> AUTHORITY =
            Option.text("authority", null, "Host name to expect in the certificates, where the URL names addresses.");
    static final Option<EtcdTls.Verify> TLS_VERIFY = Option.choice(
            "tls-verify",
            EtcdTls.Verify.class,
            "full",
            "What is checked of the server's certificate: full, ca (not the host name), none.");
    static final Option<String> TLS_CA =
            Option.text("tls-ca", null, "PEM file of the certificates to trust; default: those of the JVM.");
    static final Option<String> TLS_CERT =
            Option.text("tls-cert", null, "PEM file of the certificate to show to the server, with tls-key.");
    static final Option<String> TLS_KEY =
            Option.text("tls-key", null, "PEM file of the unencrypted PKCS#8 key of tls-cert.");

    private static final int PORT = 2379;

    /** For {@link java.util.ServiceLoader}. */
    public EtcdProvider() {}

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public Map<String, Integer> schemes() {
        return Map.of("etcd", PORT, TLS_SCHEME, PORT);
    }

    @Override
    public List<Option<?>> options() {
        return List.of(TOKENS, ETCD_LEASE, AUTHORITY, TLS_VERIFY, TLS_CA, TLS_CERT, TLS_KEY);
    }

    @Override
    public FencedLockBackend open(BackendConfig config) {
        EtcdSettings settings = EtcdSettings.of(config);
        return new EtcdBackend(new EtcdConnection(config, settings), settings);
    }

    @Override
    public FencedRegister openRegister(BackendConfig config) {
        EtcdSettings settings = EtcdSettings.of(config);
        return new EtcdRegister(new OwnTransactions(new EtcdConnection(config, settings)), settings.keys());
    }

    @Override
    public EtcdFence openFence(BackendConfig config) {
        EtcdSettings settings = EtcdSettings.of(config);
        return new EtcdFence(new OwnTransactions(new EtcdConnection(config, settings)), settings.keys());
    }
}
