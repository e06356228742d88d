package io.fencedlock.cli.replay;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An effect that nobody can check or take back: it is recorded under a key, and who comes late is given the first one's result. */
final class IdempotencyKey implements Scenario {

    @Override
    public String name() {
        return "idempotency-key";
    }

    @Override
    public String summary() {
        return "both would send the same mail, under one key: the late one is given the first one's result, one mail is sent";
    }

    @Override
    public List<Boolean> fencing() {
        return List.of(false);
    }

    @Override
    public Resource resource() {
        return Resource.DATABASE;
    }

    @Override
    public Verdict play(Stage stage) {
        Actor a = stage.a();
        Actor b = stage.b();
        a.acquires();
        a.pauses();
        b.asksAndWaits();
        b.acquired();
        mailed(b, b.does(mail(stage, b)));
        b.releases();
        Message late = a.continuesWith(mail(stage, a), "sends the mail under its key");
        mailed(a, late);
        Message count = stage.c().does(Message.order("count-mails").with("resource", stage.subject()));
        long mails = count.number("mails");
        String sender = count.text("sender");

        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("staleWriteRefused", !late.is("accepted"));
        fields.put("mails", mails);
        fields.put("finalWriter", sender);
        return new Verdict(
                fields,
                mails == 1 && sender.equals(b.name()) && late.text("result").equals("sent by " + b.name()),
                mails + (mails == 1 ? " mail was" : " mails were") + " sent, by " + sender
                        + "; the late one was told \"" + late.text("result") + "\"");
    }

    private static Message mail(Stage stage, Actor actor) {
        return Message.order("mail").with("resource", stage.subject()).with("value", actor.name());
    }

    private static void mailed(Actor actor, Message report) {
        if (report.is("accepted")) {
            actor.tells("wrote", "sent the mail and recorded that", Map.of("value", actor.name()));
        } else {
            actor.tells("refused", "sent no mail: its key says \"" + report.text("result") + "\"");
        }
    }
}
