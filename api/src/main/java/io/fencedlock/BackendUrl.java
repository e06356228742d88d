package io.fencedlock;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed URL: {@code scheme://[user:password@]host:port[,host:port…][/path][?option=value…]}, or {@code scheme:[?…]} for a
 * scheme without hosts. No message of its ever contains credentials or option values.
 *
 * @param scheme lower case
 * @param hosts as written, port 0 where none was
 * @param path decoded, without the leading slash
 * @param values user, password and query, decoded
 */
record BackendUrl(String scheme, List<Endpoint> hosts, String path, Map<String, String> values) {

    private static final String FORM = "scheme://[user:password@]host:port[,host:port…][/path][?option=value…]";
    private static final Pattern URL = Pattern.compile(
            "(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?://(?<authority>[^/?#]*)(?:/(?<path>[^?#]*))?)?(?:\\?(?<query>[^#]*))?");
    private static final Pattern SHOWN = Pattern.compile(
            "(?<scheme>[A-Za-z][A-Za-z0-9+.-]*:(?://)?)(?<hosts>[A-Za-z0-9.\\[\\]_-]+(?::\\d+)?(?:,[A-Za-z0-9.\\[\\]_-]+(?::\\d+)?)*)?(?<rest>.*)",
            Pattern.DOTALL);
    private static final Pattern HOST = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^\\s:\\[\\]@]+))(?::(\\d{1,5}))?");

    static BackendUrl parse(String text) {
        Matcher url = URL.matcher(text.strip());
        if (!url.matches()) {
            throw wrong("it does not have the form " + FORM, text);
        }
        Map<String, String> values = new LinkedHashMap<>();
        String authority = url.group("authority") == null ? "" : url.group("authority");
        int at = authority.lastIndexOf('@');
        if (at >= 0) {
            credentials(authority.substring(0, at), values, text);
        }
        query(url.group("query"), values, text);
        String path = url.group("path") == null ? "" : decode(url.group("path").replace("+", "%2B"), text);
        return new BackendUrl(
                url.group("scheme").toLowerCase(Locale.ROOT), hosts(authority.substring(at + 1), text), path, values);
    }

    private static void credentials(String text, Map<String, String> values, String url) {
        int colon = text.indexOf(':');
        String user = colon < 0 ? text : text.substring(0, colon);
        if (!user.isEmpty()) {
            values.put(SharedOptions.USER.name(), decode(user.replace("+", "%2B"), url));
        }
        if (colon >= 0) {
            values.put(
                    SharedOptions.PASSWORD.name(),
                    decode(text.substring(colon + 1).replace("+", "%2B"), url));
        }
    }

    private static void query(@Nullable String query, Map<String, String> values, String url) {
        if (query == null || query.isEmpty()) {
            return;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw wrong("its query is not option=value&option=value", url);
            }
            String name = decode(pair.substring(0, equals), url);
            if (values.put(name, decode(pair.substring(equals + 1), url)) != null) {
                throw wrong("it gives option " + name + " more than once", url);
            }
        }
    }

    private static List<Endpoint> hosts(String text, String url) {
        List<Endpoint> hosts = new ArrayList<>();
        if (text.isEmpty()) {
            return hosts;
        }
        String[] parts = text.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            Matcher host = HOST.matcher(parts[i]);
            int port = host.matches() && host.group(3) != null ? Integer.parseInt(host.group(3)) : 0;
            if (!host.matches() || port > 65535 || (port == 0 && host.group(3) != null)) {
                throw wrong(
                        "host " + (i + 1) + " of " + parts.length + " is not host:port with a port from 1 to 65535",
                        url);
            }
            hosts.add(new Endpoint(host.group(1) != null ? host.group(1) : host.group(2), port));
        }
        return hosts;
    }

    private static String decode(String text, String url) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong("it has a % that is not followed by two hexadecimal digits", url);
        }
    }

    /** The exception has no cause: a parser's message could quote the password. */
    private static LockConfigurationException wrong(String what, String url) {
        return new LockConfigurationException("the URL " + redact(url) + " cannot be used: " + what, null);
    }

    /**
     * Shows of a text, which need not be a URL at all, only what cannot hold a secret: the scheme, and the hosts if they are nothing
     * but hosts.
     */
    static String redact(String url) {
        Matcher shown = SHOWN.matcher(url);
        if (!shown.matches()) {
            return "\"***\"";
        }
        String hosts = shown.group("hosts") == null ? "" : shown.group("hosts");
        String rest = shown.group("rest");
        boolean plain = url.indexOf('@') < 0 && rest.matches("(?:[/?].*)?");
        return "\"" + shown.group("scheme") + (plain ? hosts : "***") + (plain && rest.isEmpty() ? "" : "…") + "\"";
    }
}
