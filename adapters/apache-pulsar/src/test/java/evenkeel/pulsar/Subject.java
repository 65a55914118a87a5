package evenkeel.pulsar;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The subject as the tests talk to it: single-quoted JSON in, JSON out. */
final class Subject {
    private static final Session SESSION = new Session(new Questions());

    private Subject() {
    }

    /** The reply to a raw line. */
    static ObjectNode line(String line) {
        return (ObjectNode) parse(SESSION.reply(line).toString());
    }

    /** The whole reply to a trial. */
    static ObjectNode ask(String question, String trial) {
        ObjectNode message = Json.object().put("type", "trial").put("id", 7).put("question", question);
        message.set("trial", json(trial));
        return line(message.toString());
    }

    /** The answer to a trial; fails if there is none. */
    static JsonNode answer(String question, String trial) {
        ObjectNode reply = ask(question, trial);
        if (!reply.has("answer")) {
            throw new AssertionError(reply.toString());
        }
        return reply.get("answer");
    }

    /** The reason for which a trial was refused; fails if it was not. */
    static String refused(String question, String trial) {
        return reason(question, trial, "refused");
    }

    /** The reason for which a trial broke; fails if it did not. */
    static String broke(String question, String trial) {
        return reason(question, trial, "broke");
    }

    private static String reason(String question, String trial, String kind) {
        ObjectNode reply = ask(question, trial);
        if (!reply.has(kind)) {
            throw new AssertionError(reply.toString());
        }
        return reply.get(kind).get("reason").textValue();
    }

    /** JSON whose quotes may be single ones. */
    static JsonNode json(String text) {
        return parse(text.replace('\'', '"'));
    }

    private static JsonNode parse(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (JsonProcessingException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }
}
