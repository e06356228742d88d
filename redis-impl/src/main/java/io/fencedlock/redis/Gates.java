package io.fencedlock.redis;

import io.fencedlock.BackendUnavailableException;
import io.fencedlock.FenceMark;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends checked changes and tells their answers apart. */
record Gates(Scripts scripts) {

    /**
     * Makes a change.
     *
     * @param checked the key that the check looks at
     * @param refusal what to throw, of the answer of a check that refused
     */
    @Nullable
    Object make(
            CheckedChange change,
            String checked,
            FenceMark shown,
            List<String> keys,
            String[] arguments,
            Function<List<Object>, RuntimeException> refusal) {
        if (scripts.isCluster()) {
            HashTag.requireOneSlot(checked, keys);
        }
        List<String> allKeys = new ArrayList<>(List.of(checked));
        allKeys.addAll(keys);
        List<String> allArguments = new ArrayList<>(List.of(String.valueOf(shown.token()), StoredMark.holder(shown)));
        allArguments.addAll(List.of(arguments));
        List<Object> answer = ask(change, allKeys.toArray(String[]::new), allArguments.toArray(String[]::new));
        return switch (((Long) answer.get(0)).intValue()) {
            case CheckedChange.REFUSED -> throw refusal.apply(answer);
            case CheckedChange.MADE -> answer.size() > 1 ? answer.get(1) : null;
            default ->
                throw new IllegalStateException("the change of " + keys + " was admitted and failed: " + answer.get(1));
        };
    }

    private List<Object> ask(CheckedChange change, String[] keys, String[] arguments) {
        try {
            return scripts.ask(change, keys, arguments);
        } catch (BackendUnavailableException e) {
            if (String.valueOf(e.getMessage()).contains("compiling script")) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            throw e;
        }
    }
}
