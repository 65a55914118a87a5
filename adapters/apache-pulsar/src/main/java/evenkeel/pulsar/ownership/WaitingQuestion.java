package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Question;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * {@code ownership.waiting}: Pulsar's own managers of unloads and splits, or its channel, are asked, and told what
 * ended. Who is told may ask again in the same moment: before Pulsar's class continues.
 */
public final class WaitingQuestion implements Question {
    private static final int BUNDLES = 2;
    private static final int MANY = 50_000;

    private final TimedFutures timers = TimedFutures.find();
    private WaitingLookups lookups;

    private final Map<Runnable, Long> due = new LinkedHashMap<>();
    /** Who is told: by twice the command's number, and one more if it asked again. */
    private final Map<Integer, Boolean> told = new TreeMap<>();
    private WaitingDesk desk;
    private Throwable failure;
    private boolean passing;
    private long now;

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        timers.clear();
        due.clear();
        told.clear();
        failure = null;
        now = 0;
        if (trial.path("permits").asInt(MANY) < MANY
                || trial.path("commands").findValues("unread").toString().contains("true")) {
            throw new NotHere("a connection counts lookups, and there is none");
        }
        desk = desk(Json.text(trial, "kind"), Json.flag(trial, "started"));
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode command : Json.list(trial, "commands")) {
            perform(results.size(), command);
            if (failure != null) {
                throw new IllegalStateException(failure);
            }
            results.add(heard());
            told.clear();
        }
        return answer;
    }

    private WaitingDesk desk(String kind, boolean started) throws Exception {
        switch (kind) {
            case "unload":
                return WaitingManagers.unloads();
            case "split":
                return WaitingManagers.splits();
            case "lookup":
                lookups = lookups == null ? new WaitingLookups() : lookups;
                lookups.begin(timers, started);
                return lookups;
            default:
                throw new BadTrial("unknown kind " + kind);
        }
    }

    private void perform(int place, JsonNode command) {
        switch (Json.text(command, "do")) {
            case "ask" -> ask(2 * place, bundle(command), Json.text(command, "then"));
            case "end" -> desk.end(bundle(command), Json.flag(command, "fails"));
            case "pass" -> pass(Json.integer(command, "millis"));
            case "start" -> desk.start();
            default -> throw CommandList.unknown(Json.text(command, "do"));
        }
    }

    private static int bundle(JsonNode command) {
        return Json.small(command, "bundle") % BUNDLES;
    }

    private void ask(int number, int bundle, String then) {
        CompletableFuture<Boolean> answer = desk.ask(bundle);
        for (Runnable timeout : timers.added()) {
            due.put(timeout, now + desk.limit());
        }
        answer.whenComplete((done, failed) -> {
            try {
                tell(number, bundle, then, failed == null && done);
            } catch (Throwable thrown) {
                failure = thrown;
            }
        });
    }

    private void tell(int number, int bundle, String then, boolean done) {
        told.put(number, done);
        boolean late = then.equals("late") && passing && !done;
        if (late) {
            desk.end(bundle, false);
        }
        if (late || then.equals("again")) {
            ask(number + 1, bundle, "nothing");
        }
    }

    private void pass(long millis) {
        long until = now + millis;
        passing = true;
        for (Runnable next = next(until); next != null; next = next(until)) {
            now = due.remove(next);
            timers.run(next);
        }
        passing = false;
        now = until;
    }

    private Runnable next(long until) {
        Runnable first = null;
        for (Map.Entry<Runnable, Long> entry : due.entrySet()) {
            if (entry.getValue() <= until && (first == null || entry.getValue() < due.get(first))) {
                first = entry.getKey();
            }
        }
        return first;
    }

    private ObjectNode heard() {
        ObjectNode heard = Json.object().put("do", "heard");
        ArrayNode list = heard.putArray("told");
        told.forEach((number, done) -> list.addObject().put("ask", number / 2).put("again", number % 2 == 1)
                .put("end", done ? "done" : "failed"));
        return heard;
    }
}
