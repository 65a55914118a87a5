package evenkeel.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The commands of a trial, one result each: an answer, or how the command failed. */
public final class CommandList {
    private CommandList() {
    }

    /** One command. Whatever Pulsar throws may simply escape. */
    @FunctionalInterface
    public interface Performer {
        JsonNode perform(String command, JsonNode arguments) throws Throwable;
    }

    /** Performs the commands of a trial in order: its answer. */
    public static ObjectNode answer(JsonNode trial, Performer performer) throws Throwable {
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode command : Json.list(trial, "commands")) {
            results.add(result(command, performer));
        }
        return answer;
    }

    private static JsonNode result(JsonNode command, Performer performer) throws Throwable {
        try {
            return performer.perform(Json.text(command, "do"), command);
        } catch (Throwable thrown) {
            Failure failure = Failure.of(thrown);
            if (failure.kind() == Failure.Kind.ADAPTER) {
                throw thrown;
            }
            String kind = failure.kind() == Failure.Kind.REFUSED ? "refused" : "broke";
            return Json.object().put("do", kind).put("reason", failure.reason());
        }
    }

    /** The result of a command that only does something. */
    public static ObjectNode done() {
        return Json.object().put("do", "done");
    }

    /** For a command that the question does not have. */
    public static BadTrial unknown(String command) {
        return new BadTrial("unknown command " + command);
    }
}
