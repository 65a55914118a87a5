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
        return initial(trial, made, 1, 1);
    }

    /** One that has entry buckets, if this line knows of any. */
    static SegmentLayout initial(JsonNode trial, long made, int budget, int most) {
        ScalableTopicMetadata metadata = Evaluator.metadata(Json.small(trial, "count"), budget, most);
        metadata.getSegments().replaceAll((number, one) ->
                Evaluator.bucketedAs(SegmentInfo.active(number, one.hashRange(), 0, made), one));
        return SegmentLayout.fromMetadata(metadata);
    }

    /** The layout after a command. */
    static SegmentLayout changed(SegmentLayout layout, String command, JsonNode arguments) {
        return changed(layout, command, arguments, 1);
    }

    /** The layout after a command, where no segment can have more entry buckets than these. */
    static SegmentLayout changed(SegmentLayout layout, String command, JsonNode arguments, int most) {
        switch (command) {
            case "split":
                return layout.splitSegment(Json.integer(arguments, "segment"), 0);
            case "merge":
                return Evaluator.merged(
                        layout, Json.integer(arguments, "first"), Json.integer(arguments, "second"), 0, most);
            case "rebucket":
                return Evaluator.rebucketed(
                        layout, Json.integer(arguments, "segment"), Json.small(arguments, "buckets"), 0);
            case "prune":
                return layout.pruneSegment(Json.integer(arguments, "segment"));
            default:
                throw CommandList.unknown(command);
        }
    }

    /** A layout as answers show it. */
    static ObjectNode shown(SegmentLayout layout) {
        ObjectNode shown = Json.object().put("do", "layout").put("epoch", layout.getEpoch());
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
            segment.put("buckets", Evaluator.buckets(one)).put("created", one.createdAtEpoch())
                    .put("sealed_in", one.sealedAtEpoch());
            depths.add(layout.mergeDepth(one.segmentId()));
        }
        return shown;
    }
}
