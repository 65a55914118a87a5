package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.client.impl.v5.EvenkeelClient;
import org.apache.pulsar.common.api.proto.ScalableConsumerAssignment;
import org.apache.pulsar.common.api.proto.ScalableTopicDAG;

/** {@code scaling.updates}: the sessions of a client, as their connection tells them of an update. */
public final class UpdatesQuestion implements Question {
    private EvenkeelClient client;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        PulsarClientImpl idle = Private.allocate(PulsarClientImpl.class);
        Private.set(PulsarClientImpl.class, idle, "consumerIdGenerator", new AtomicLong());
        client = new EvenkeelClient(idle);
        return CommandList.answer(trial, this::perform);
    }

    private JsonNode perform(String command, JsonNode arguments) {
        switch (command) {
            case "push_layout":
                return layout(arguments.get("layout"));
            case "push_assignment":
                return assignment(arguments.get("assignment"));
            case "send_key":
                return Json.object().put("do", "sent_to").put("segment", client.route(Json.text(arguments, "key")));
            default:
                throw CommandList.unknown(command);
        }
    }

    private ObjectNode layout(JsonNode sent) {
        ScalableTopicDAG layout = new ScalableTopicDAG().setEpoch(Json.integer(sent, "epoch"));
        for (JsonNode segment : Json.list(sent, "segments")) {
            RoutingQuestion.fill(layout.addSegment(), segment);
        }
        client.push(layout);
        ObjectNode kept = Json.object().put("do", "kept_layout").put("epoch", client.epoch());
        put(kept, "live", client.live());
        put(kept, "sealed", client.sealed());
        return kept;
    }

    private ObjectNode assignment(JsonNode sent) {
        ScalableConsumerAssignment assignment =
                new ScalableConsumerAssignment().setLayoutEpoch(Json.integer(sent, "epoch"));
        for (long number : Json.integers(sent, "segments")) {
            assignment.addSegment().setSegmentId(number).setHashStart(0).setHashEnd(0xffff)
                    .setSegmentTopic("segment://public/default/topic/0000-ffff-" + number);
        }
        client.push(assignment);
        ObjectNode kept = Json.object().put("do", "kept_assignment");
        put(kept, "segments", client.assigned());
        return kept;
    }

    private static void put(ObjectNode object, String name, List<Long> numbers) {
        numbers.forEach(object.putArray(name)::add);
    }
}
