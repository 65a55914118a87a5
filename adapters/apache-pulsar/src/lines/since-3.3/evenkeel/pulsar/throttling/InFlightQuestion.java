package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import org.apache.bookkeeper.mledger.impl.cache.SteppedReadsLimiter;

/** {@code throttling.inflight}: Pulsar's own limiter of the memory that reads hold. */
public final class InFlightQuestion implements Question {
    private SteppedReadsLimiter limiter;
    private ArrayNode begun;
    private ArrayNode failed;
    private int asked;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        asked = 0;
        limiter = new SteppedReadsLimiter(Json.integer(trial, "limit"), Json.small(trial, "queue"),
                Json.integer(trial, "timeout"), read -> begun.add(read), read -> failed.add(read));
        return CommandList.answer(trial, this::perform);
    }

    private JsonNode perform(String command, JsonNode arguments) {
        ObjectNode turned = Json.object().put("do", "turned");
        begun = turned.putArray("begun");
        failed = turned.putArray("failed");
        switch (command) {
            case "ask" -> limiter.ask(asked++, Json.integer(arguments, "bytes"));
            case "give_back" -> limiter.giveBack((int) (Json.integer(arguments, "read") % Math.max(1, asked)));
            case "advance" -> limiter.advance(Json.integer(arguments, "millis"));
            default -> throw CommandList.unknown(command);
        }
        return turned;
    }
}
