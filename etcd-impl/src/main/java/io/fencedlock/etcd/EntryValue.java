package io.fencedlock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.fencedlock.HolderId;
import io.fencedlock.LockName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What stands in a queue entry: one flat JSON object. The holder says whose it is; the base makes, with the entry's create revision, the token of
 * whoever was granted the lock with this value; the rest is for people.
 */
final class EntryValue {

    private static final Pattern HOLDER = Pattern.compile("\"holder\":\"([0-9a-f]{32})\"");
    private static final Pattern HOST = Pattern.compile("\"host\":\"([^\"\\\\]*)\"");
    private static final Pattern PID = Pattern.compile("\"pid\":(\\d{1,18})");
    private static final Pattern BASE = Pattern.compile("\"base\":(\\d{1,19})");
    private static final Pattern SINCE = Pattern.compile("\"since\":\"([^\"\\\\]*)\"");

    private static final String PROCESS = "\"host\":\"" + escape(hostName()) + "\",\"pid\":"
            + ProcessHandle.current().pid();
    private static final Clock WALL = Clock.systemUTC();

    private EntryValue() {}

    static ByteString of(LockName name, HolderId holder, TokenBase base) {
        return ByteString.copyFromUtf8("{\"holder\":\"" + holder.value() + "\",\"base\":" + base.number() + ","
                + PROCESS + ",\"since\":\"" + WALL.instant() + "\",\"name\":\"" + escape(name.value()) + "\"}");
    }

    /** The token of an entry; the bare revision if somebody else has written its value. */
    static long token(KeyValue entry) {
        long base = find(BASE, entry.getValue()).map(Long::parseLong).orElse(0L);
        return base + entry.getCreateRevision();
    }

    /** Whose entry it is; empty if somebody else has written its value. */
    static Optional<HolderId> holder(ByteString value) {
        return find(HOLDER, value).map(HolderId::new);
    }

    static Optional<String> host(ByteString value) {
        return find(HOST, value);
    }

    static OptionalLong pid(ByteString value) {
        Optional<String> pid = find(PID, value);
        return pid.isPresent() ? OptionalLong.of(Long.parseLong(pid.get())) : OptionalLong.empty();
    }

    static Optional<Instant> since(ByteString value) {
        try {
            return find(SINCE, value).map(Instant::parse);
        } catch (java.time.DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> find(Pattern pattern, ByteString value) {
        Matcher found = pattern.matcher(value.toStringUtf8());
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    /** The name, and with it the only text of a stranger, stands last: the fields before it are found first. */
    private static String escape(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** Without a look-up, which could block for seconds where the resolver does not answer. */
    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return Stream.of("HOSTNAME", "COMPUTERNAME")
                    .map(System::getenv)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
