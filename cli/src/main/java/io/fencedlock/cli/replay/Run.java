package io.fencedlock.cli.replay;

import io.fencedlock.cli.TokenSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One play of a scenario.
 *
 * @param scenario its name
 * @param backend the backend's name
 * @param place where it is, for people: a version, a URL without secrets
 * @param fencing whether the resource checks tokens
 * @param tokens where tokens come from
 * @param apart what is written, for people, where it is not a value in the lock's own store
 */
record Run(String scenario, String backend, String place, boolean fencing, TokenSource tokens, Optional<String> apart) {

    /** For people. */
    String title() {
        return scenario + " on " + place + ", fencing " + (fencing ? "on" : "off") + ", " + tokens.shown() + " tokens";
    }

    /** What tells it from the other runs of its scenario and backend. */
    String variant() {
        return (fencing ? "on" : "off") + (tokens == TokenSource.DEFAULT ? "" : ", " + tokens.shown());
    }

    /** What every line of JSON begins with. */
    Map<String, Object> fields(String event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event", event);
        fields.put("scenario", scenario);
        fields.put("backend", backend);
        fields.put("fencing", fencing);
        fields.put("tokens", tokens.shown());
        return fields;
    }
}
