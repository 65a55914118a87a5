package evenkeel.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/** The conversation of the question contract.rebalance (spec/wire.md): a line in, a line out. */
public final class Conversation {
    private static final String QUESTION = "contract.rebalance";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Options options;
    private final Supplier<Balancer> balancers;
    private Balancer balancer;

    private Conversation(String name, Options options, Supplier<Balancer> balancers) {
        this.name = name;
        this.options = options;
        this.balancers = balancers;
    }

    /** Answers until the harness says bye or closes its side, then ends the process. */
    public static void hold(String name, Options options, Supplier<Balancer> balancers) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        BufferedWriter out = new BufferedWriter(new OutputStreamWriter(
                new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8));
        // Whatever a library may print must not get between the protocol's lines.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        Conversation conversation = new Conversation(name, options, balancers);
        String type = "";
        for (String line = in.readLine(); line != null && !type.equals("bye"); line = type.equals("bye") ? null : in.readLine()) {
            ObjectNode reply = conversation.reply(line);
            out.write(JSON.writeValueAsString(reply));
            out.write('\n');
            out.flush();
            type = reply.path("type").textValue();
        }
        System.exit(0);
    }

    private ObjectNode reply(String line) {
        JsonNode message;
        try {
            message = JSON.readTree(line);
        } catch (JsonProcessingException notJson) {
            return error(null, "this line is not JSON: " + notJson.getOriginalMessage());
        }
        return switch (message.path("type").asText()) {
            case "hello" -> hello(message);
            case "trial" -> trial(message);
            case "bye" -> JSON.createObjectNode().put("type", "bye");
            default -> error(message.get("id"), "unknown type of message: " + message.path("type"));
        };
    }

    private ObjectNode hello(JsonNode message) {
        if (message.path("protocol").asInt() != 1) {
            return error(null, "this adapter speaks protocol 1, not " + message.path("protocol"));
        }
        ObjectNode reply = JSON.createObjectNode().put("type", "hello").put("protocol", 1)
                .put("name", name).put("version", options.toString()).put("language", "java");
        reply.putArray("questions").add(QUESTION);
        reply.putArray("options");
        return reply;
    }

    private ObjectNode trial(JsonNode message) {
        JsonNode id = message.get("id");
        if (id == null || !id.isIntegralNumber() || !message.path("trial").isObject()) {
            return error(id, "a trial needs an integer id and a trial object");
        }
        if (!QUESTION.equals(message.path("question").textValue())) {
            return reply("skipped", id).put("reason", "this adapter answers " + QUESTION + " alone");
        }
        try {
            ObjectNode reply = reply("observation", id);
            reply.set("answer", answer((ObjectNode) message.get("trial")));
            return reply;
        } catch (Cannot none) {
            ObjectNode reply = reply("observation", id);
            reply.putObject("answer").put("cannot", none.getMessage());
            return reply;
        } catch (OutOfMemoryError fatal) {
            throw fatal;
        } catch (Throwable thrown) {
            return failed(id, thrown);
        }
    }

    private ObjectNode answer(ObjectNode trial) throws Exception {
        ObjectNode answer = JSON.createObjectNode();
        String turn = trial.required("do").textValue();
        if (turn.equals("open")) {
            balancer = balancers.get();
            return answer.set("promises", JSON.valueToTree(balancer.promises()));
        }
        if (balancer == null) {
            throw new IllegalArgumentException("no trial was opened before this turn");
        }
        View view = View.of(trial);
        return switch (turn) {
            case "rebalance" -> answer.set("moves", JSON.valueToTree(balancer.rebalance(view)));
            case "place" -> answer.put("node", balancer.place(view, trial.required("unit").textValue()));
            default -> throw new IllegalArgumentException("unknown turn: " + turn);
        };
    }

    /** The balancer's breakage, or an error of the adapter: the first frame from inside that is either's decides. */
    private static ObjectNode failed(JsonNode id, Throwable thrown) {
        String name = thrown.getClass().getSimpleName();
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().startsWith("evenkeel.") || frame.getClassName().endsWith(".EvenkeelAccess")) {
                return error(id, name + ": " + thrown.getMessage());
            }
            if (!frame.getClassName().matches("(java|jdk|scala|com\\.fasterxml)\\..*")) {
                break;
            }
        }
        ObjectNode reply = reply("observation", id);
        reply.set("broke", JSON.valueToTree(Map.of("reason", name, "detail", String.valueOf(thrown.getMessage()))));
        return reply;
    }

    private static ObjectNode error(JsonNode id, String reason) {
        JsonNode readable = id != null && id.isIntegralNumber() ? id : null;
        return reply("error", readable).put("reason", reason).put("definite", true);
    }

    private static ObjectNode reply(String type, JsonNode id) {
        ObjectNode reply = JSON.createObjectNode().put("type", type);
        reply.set("id", id);
        return reply;
    }
}
