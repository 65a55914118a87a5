package evenkeel.pulsar;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** One conversation with the harness: a line in, a line out. */
public final class Session {
    private static final int PROTOCOL = 1;
    /** Replies are not held back longer than this, so that what was answered counts if the next trial kills us. */
    private static final long FLUSH_NANOS = 50_000_000;

    private final Questions questions;

    public Session(Questions questions) {
        this.questions = questions;
    }

    /** Answers until the harness says bye or closes its side. */
    public void run(BufferedReader in, BufferedWriter out) throws IOException {
        String line = in.readLine();
        long flushed = System.nanoTime();
        while (line != null) {
            JsonNode reply = reply(line);
            out.write(Json.MAPPER.writeValueAsString(reply));
            out.write('\n');
            if ("bye".equals(reply.path("type").textValue())) {
                break;
            }
            if (!in.ready() || System.nanoTime() - flushed > FLUSH_NANOS) {
                out.flush();
                flushed = System.nanoTime();
            }
            line = in.readLine();
        }
        out.flush();
    }

    /** The reply to one line. */
    public ObjectNode reply(String line) {
        JsonNode message;
        try {
            message = Json.MAPPER.readTree(line);
        } catch (JsonProcessingException notJson) {
            return error(null, "this line is not JSON: " + notJson.getOriginalMessage());
        }
        if (message == null || !message.isObject()) {
            return error(null, "this line is not a JSON object");
        }
        switch (message.path("type").asText()) {
            case "hello":
                return hello(message);
            case "trial":
                return trial(message);
            case "bye":
                return Json.object().put("type", "bye");
            default:
                return error(message.get("id"), "unknown type of message: " + message.path("type"));
        }
    }

    private ObjectNode hello(JsonNode message) {
        if (message.path("protocol").asInt() != PROTOCOL) {
            return error(null, "this adapter speaks protocol 1, not " + message.path("protocol"));
        }
        Properties subject = new Properties();
        try (InputStream file = Session.class.getResourceAsStream("/subject.properties")) {
            subject.load(file);
        } catch (IOException unreadable) {
            return error(null, "the resource subject.properties cannot be read");
        }
        ObjectNode reply = Json.object().put("type", "hello").put("protocol", PROTOCOL)
                .put("name", subject.getProperty("name"))
                .put("version", System.getProperty("evenkeel.pulsar", subject.getProperty("version"))
                        + (questions.about() == null ? "" : " " + questions.about()))
                .put("language", "java");
        questions.names().forEach(reply.putArray("questions")::add);
        reply.putArray("options");
        return reply;
    }

    private ObjectNode trial(JsonNode message) {
        JsonNode id = message.get("id");
        if (id == null || !id.isIntegralNumber()) {
            return error(id, "a trial needs an integer id");
        }
        JsonNode name = message.path("question");
        JsonNode trial = message.path("trial");
        if (!name.isTextual() || !trial.isObject()) {
            return error(id, "a trial needs a question and a trial object");
        }
        try {
            Question question = questions.named(name.textValue());
            if (question == null) {
                return reply("skipped", id).put("reason", questions.whyNot(name.textValue()));
            }
            ObjectNode reply = reply("observation", id);
            reply.set("answer", question.answer(trial));
            return reply;
        } catch (OutOfMemoryError fatal) {
            throw fatal;
        } catch (NotHere missing) {
            return reply("skipped", id).put("reason", missing.getMessage());
        } catch (Throwable thrown) {
            return failed(id, Failure.of(thrown));
        }
    }

    private ObjectNode failed(JsonNode id, Failure failure) {
        if (failure.kind() == Failure.Kind.ADAPTER) {
            return error(id, failure.reason() + ": " + failure.detail());
        }
        ObjectNode reply = reply("observation", id);
        reply.putObject(failure.kind() == Failure.Kind.REFUSED ? "refused" : "broke")
                .put("reason", failure.reason()).put("detail", failure.detail());
        return reply;
    }

    private static ObjectNode error(JsonNode id, String reason) {
        JsonNode readable = id != null && id.isIntegralNumber() ? id : null;
        return reply("error", readable).put("reason", reason).put("definite", true);
    }

    private static ObjectNode reply(String type, JsonNode id) {
        ObjectNode reply = Json.object().put("type", type);
        reply.set("id", id);
        return reply;
    }
}
