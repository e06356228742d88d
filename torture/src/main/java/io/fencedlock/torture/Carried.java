package io.fencedlock.torture;

import io.fencedlock.compliance.history.Action;
import io.fencedlock.compliance.history.Event;
import io.fencedlock.compliance.history.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The few events of a phase that decide about the next one, so that a long run is checked in pieces: of each lock the hold with the highest token,
 * of each resource the highest mark and the last value.
 */
final class Carried {
    private Carried() {}

    static List<Event> from(List<Event> phase) {
        Map<String, Event> highest = new HashMap<>();
        Map<String, Event> marks = new HashMap<>();
        Map<String, Event> values = new HashMap<>();
        for (Event event : phase) {
            if (event.action() == Action.ACQUIRE && event.phase() == Phase.OK) {
                highest.merge(event.subject(), event, Carried::higher);
            } else if (event.action() == Action.APPLY && event.phase() == Phase.OK) {
                marks.merge(event.subject(), event, Carried::higher);
                if (event.more(Event.ADVANCE) == null) {
                    values.merge(event.subject(), event, Carried::later);
                }
            }
        }
        Set<Event> all = new HashSet<>(marks.values());
        all.addAll(values.values());
        List<Event> carried = new ArrayList<>(all);
        highest.values()
                .forEach(grant ->
                        phase.stream().filter(event -> belongs(event, grant)).forEach(carried::add));
        return carried;
    }

    private static boolean belongs(Event event, Event grant) {
        boolean asked =
                event.action() == Action.ACQUIRE && event.process().equals(grant.process()) && event.op() == grant.op();
        return asked || (event.action() == Action.RELEASE && event.holder().equals(grant.holder()));
    }

    private static Event higher(Event one, Event other) {
        return other.token() > one.token() ? other : one;
    }

    private static Event later(Event one, Event other) {
        return number(other) > number(one) ? other : one;
    }

    private static long number(Event event) {
        String text = event.more(Event.NUMBER);
        return text == null ? 0 : Long.parseLong(text);
    }
}
