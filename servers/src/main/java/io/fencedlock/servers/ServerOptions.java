package io.fencedlock.servers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a throw-away server is to be started. Immutable and thread-safe: each method answers a changed copy.
 *
 * <p>With a version, a setting, a file, TLS or a steppable clock the server is always one of our own: an address given by the user is then not used.
 */
public final class ServerOptions {
    private static final ServerOptions DEFAULTS =
            new ServerOptions(Optional.empty(), false, List.of(), Map.of(), false, Map.of(), false);
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private final Optional<String> version;
    private final boolean throwAway;
    private final List<Setting> settings;
    private final Map<String, byte[]> files;
    private final boolean tls;
    private final Map<String, byte[]> dataFiles;
    private final boolean steppableClock;

    /** One line of a configuration file, or one command-line option. */
    record Setting(String name, String value) {}

    private ServerOptions(
            Optional<String> version,
            boolean throwAway,
            List<Setting> settings,
            Map<String, byte[]> files,
            boolean tls,
            Map<String, byte[]> dataFiles,
            boolean steppableClock) {
        this.version = version;
        this.throwAway = throwAway;
        this.settings = settings;
        this.files = files;
        this.tls = tls;
        this.dataFiles = dataFiles;
        this.steppableClock = steppableClock;
    }

    /**
     * A server as it comes: any version, no password, no TLS.
     *
     * @return the default options
     */
    public static ServerOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Asks for a version.
     *
     * @param prefix how the version begins, for example {@code 3.5}
     * @return the changed copy
     */
    public ServerOptions version(String prefix) {
        return new ServerOptions(Optional.of(prefix), throwAway, settings, files, tls, dataFiles, steppableClock);
    }

    /**
     * Asks for a server that may be harmed, never the one whose address the user gave.
     *
     * @return the changed copy
     */
    public ServerOptions throwAway() {
        return new ServerOptions(version, true, settings, files, tls, dataFiles, steppableClock);
    }

    /**
     * Adds a setting in the server's own words: a line of redis.conf, a line of zoo.cfg, or an option of etcd without its dashes. A
     * later setting of the same name wins where the server knows only one. In the value, {@code {files}} stands for the folder of the
     * files of these options.
     *
     * @param name the name, for example {@code requirepass}
     * @param value the value as the server wants it
     * @return the changed copy
     */
    public ServerOptions setting(String name, String value) {
        if (name.isBlank() || (name + value).chars().anyMatch(c -> c == '\n' || c == '\r')) {
            throw new IllegalArgumentException(
                    "a setting needs a name, and neither name nor value may hold a line break: " + name);
        }
        List<Setting> more = new ArrayList<>(settings);
        more.add(new Setting(name, value));
        return new ServerOptions(version, throwAway, List.copyOf(more), files, tls, dataFiles, steppableClock);
    }

    /**
     * Lays a file beside the server; settings refer to it as {@code {files}/name}.
     *
     * @param name a plain file name: letters, digits, dot, dash and underscore
     * @param content the text, written as UTF-8
     * @return the changed copy
     */
    public ServerOptions file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Lays a file beside the server; settings refer to it as {@code {files}/name}.
     *
     * @param name a plain file name: letters, digits, dot, dash and underscore
     * @param content the bytes
     * @return the changed copy
     */
    public ServerOptions file(String name, byte[] content) {
        if (!FILE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a file name holds letters, digits, '.', '-' and '_' only: " + name);
        }
        Map<String, byte[]> more = new LinkedHashMap<>(files);
        more.put(name, content.clone());
        return new ServerOptions(version, throwAway, settings, more, tls, dataFiles, steppableClock);
    }

    /**
     * Opens a second port that speaks TLS with the server certificate of these certificates. Clients need no certificate, unless a setting
     * of the server asks for one.
     *
     * @param certificates whose server certificate to use
     * @return the changed copy
     */
    public ServerOptions tls(Certificates certificates) {
        Map<String, byte[]> more = new LinkedHashMap<>(files);
        more.putAll(certificates.serverFiles());
        return new ServerOptions(version, throwAway, settings, more, true, dataFiles, steppableClock);
    }

    /**
     * Asks for a server whose wall clock can be stepped ({@link Server#stepClock}): Redis or ZooKeeper as a process of a Linux machine that
     * has a C compiler. Each node of a cluster has a clock of its own.
     *
     * @return the changed copy
     */
    public ServerOptions steppableClock() {
        return new ServerOptions(version, throwAway, settings, files, tls, dataFiles, true);
    }

    /** Lays a file among the server's data: ZooKeeper's number of a member. */
    ServerOptions dataFile(String name, String content) {
        Map<String, byte[]> one = Map.of(name, content.getBytes(StandardCharsets.UTF_8));
        return new ServerOptions(version, throwAway, settings, files, tls, one, steppableClock);
    }

    Map<String, byte[]> dataFiles() {
        return dataFiles;
    }

    Optional<String> version() {
        return version;
    }

    List<Setting> settings() {
        return settings;
    }

    Map<String, byte[]> files() {
        return files;
    }

    boolean hasTls() {
        return tls;
    }

    boolean hasSteppableClock() {
        return steppableClock;
    }

    /** Whether a running server, about which nothing can be chosen, may serve. */
    boolean acceptGivenServer() {
        return version.isEmpty() && !throwAway && settings.isEmpty() && files.isEmpty() && !tls && !steppableClock;
    }
}
