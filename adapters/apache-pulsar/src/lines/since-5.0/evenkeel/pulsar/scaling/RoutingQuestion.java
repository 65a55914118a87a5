package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.util.HashMap;
import java.util.Map;
import org.apache.pulsar.client.impl.v5.EvenkeelRouter;
import org.apache.pulsar.common.api.proto.ScalableTopicDAG;
import org.apache.pulsar.common.api.proto.SegmentInfoProto;
import org.apache.pulsar.common.api.proto.SegmentState;

/** {@code scaling.routing}: the layout as a client is sent it, and the router of its producers. */
public final class RoutingQuestion implements Question {
    @Override
    public JsonNode answer(JsonNode trial) {
        ScalableTopicDAG layout = new ScalableTopicDAG().setEpoch(1);
        Map<Long, JsonNode> segments = new HashMap<>();
        boolean allLegacy = true;
        for (JsonNode segment : Json.list(trial, "segments")) {
            segments.put(Json.integer(segment, "number"), segment);
            allLegacy &= Json.flag(segment, "legacy") || Json.flag(segment, "sealed");
            SegmentInfoProto info = fill(layout.addSegment(), segment);
            if (Json.flag(segment, "legacy")) {
                info.setLegacyTopicName("persistent://public/default/topic-partition-" + info.getSegmentId());
            }
        }
        EvenkeelRouter router = new EvenkeelRouter(layout);
        ObjectNode answer = Json.object();
        ArrayNode routes = answer.putArray("routes");
        for (JsonNode key : Json.list(trial, "keys")) {
            String text = key.textValue();
            long segment = router.route(text);
            boolean hashed = text != null && !allLegacy;
            routes.addObject().put("segment", segment)
                    .put("hash", hashed ? (Integer) EvenkeelRouter.hash(text) : null)
                    .put("bucket", hashed ? Evaluator.bucket(text, Json.integers(segments.get(segment), "splits")) : null);
        }
        return answer;
    }

    /** What all clients are told of a segment. */
    static SegmentInfoProto fill(SegmentInfoProto info, JsonNode segment) {
        return info.setSegmentId(Json.integer(segment, "number"))
                .setHashStart(Json.small(segment, "start")).setHashEnd(Json.small(segment, "end"))
                .setState(Json.flag(segment, "sealed") ? SegmentState.SEALED : SegmentState.ACTIVE)
                .setCreatedAtEpoch(0);
    }
}
