package io.fencedlock.compliance;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Changes to URLs of targets. */
final class Urls {

    private Urls() {}

    /** The URL with options set, each once. */
    static String with(String url, String... options) {
        int mark = url.indexOf('?');
        String base = mark < 0 ? url : url.substring(0, mark);
        Stream<String> old = mark < 0
                ? Stream.empty()
                : Arrays.stream(url.substring(mark + 1).split("&"));
        Stream<String> kept = old.filter(o -> Arrays.stream(options).noneMatch(n -> name(n).equals(name(o))));
        return base + "?" + Stream.concat(kept, Arrays.stream(options)).collect(Collectors.joining("&"));
    }

    private static String name(String option) {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }

    static String scheme(String url) {
        return url.substring(0, url.indexOf(':'));
    }

    /** {@code host:port,host:port}, or empty. */
    static String hosts(String url) {
        String rest = url.substring(url.indexOf(':') + 1);
        if (!rest.startsWith("//")) {
            return "";
        }
        String authority = rest.substring(2).split("[/?]", 2)[0];
        return authority.substring(authority.lastIndexOf('@') + 1);
    }

    /** The URL at other hosts. */
    static String at(String url, String hosts) {
        String old = hosts(url);
        int at = url.indexOf(old, url.indexOf("//"));
        return url.substring(0, at) + hosts + url.substring(at + old.length());
    }
}
