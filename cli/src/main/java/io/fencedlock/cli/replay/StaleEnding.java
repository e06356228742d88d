package io.fencedlock.cli.replay;

import io.fencedlock.cli.TokenSource;
import io.fencedlock.cli.replay.Actor.Written;
import java.util.LinkedHashMap;
import java.util.Map;

/** The end that the stale write has in all of its forms: worker-A wrote late, after worker-B. */
final class StaleEnding {
    private StaleEnding() {}

    static Verdict of(Stage stage, Written late) {
        Actor a = stage.a();
        Actor b = stage.b();
        String last = stage.c().reads().orElse("nobody");
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("staleWriteRefused", !late.accepted());
        fields.put("staleToken", a.token());
        fields.put("acceptedToken", late.accepted() ? b.token() : late.acceptedToken());
        fields.put("finalWriter", last);
        boolean ordered = a.token() < b.token();
        if (!ordered && stage.tokens() == TokenSource.TEXTBOOK) {
            return new Verdict(
                    fields,
                    last.equals(late.accepted() ? a.name() : b.name()),
                    "the bare counter went back, so the stale token " + a.token() + " is not below the new " + b.token()
                            + "; the final value is from " + last);
        }
        if (stage.fencing()) {
            boolean numbers = late.staleToken() == a.token() && late.acceptedToken() == b.token();
            return new Verdict(
                    fields,
                    ordered && !late.accepted() && numbers && last.equals(b.name()),
                    late.accepted()
                            ? "the stale write was accepted; the final value is from " + last
                            : "the stale write was refused; the final value is from " + last);
        }
        return new Verdict(
                fields,
                ordered && late.accepted() && last.equals(a.name()),
                "nobody checked the token; the final value is from " + last
                        + (last.equals(a.name()) ? ", the stale write destroyed the newer one" : ""));
    }
}
