package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import java.util.Comparator;
import java.util.List;
import org.apache.pulsar.broker.resources.ScalableTopicMetadata;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;
import org.apache.pulsar.common.scalable.SegmentInfo;

/** Pulsar's layouts of segments, made and changed as trials say. */
final class Layouts {
    private Layouts() {
    }

    /** The layout of a new topic, whose segments were made at this moment, not now. */
    static SegmentLayout initial(JsonNode trial, long made) {
        int count = Json.small(trial, "count");
        ScalableTopicMetadata metadata = Evaluator.metadata(count);
        metadata.getSegments().replaceAll((number, one) -> SegmentInfo.active(number, one.hashRange(), 0, made));
        return SegmentLayout.fromMetadata(metadata);
    }

    /** The layout after a command. */
    static SegmentLayout changed(SegmentLayout layout, String command, JsonNode arguments) {
        switch (command) {
            case "split":
                return layout.splitSegment(Json.integer(arguments, "segment"), 0);
            case "merge":
                return Evaluator.merged(
                        layout, Json.integer(arguments, "first"), Json.integer(arguments, "second"), 0);
            case "prune":
                return layout.pruneSegment(Json.integer(arguments, "segment"));
            default:
                throw CommandList.unknown(command);
        }
    }

    /** A layout as answers show it. */
    static ObjectNode shown(SegmentLayout layout) {
        ObjectNode shown = Json.object().put("do", "layout");
        ArrayNode segments = shown.putArray("segments");
        ArrayNode depths = shown.putArray("depths");
        List<SegmentInfo> sorted = layout.getAllSegments().values().stream()
                .sorted(Comparator.comparingLong(SegmentInfo::segmentId)).toList();
        for (SegmentInfo one : sorted) {
            ObjectNode segment = segments.addObject().put("number", one.segmentId())
                    .put("start", one.hashRange().start()).put("end", one.hashRange().end())
                    .put("sealed", one.isSealed());
            segment.set("parents", Json.arrayOf(one.parentIds()));
            segment.set("children", Json.arrayOf(one.childIds()));
            depths.add(layout.mergeDepth(one.segmentId()));
        }
        return shown;
    }
}
