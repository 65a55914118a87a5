package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import org.apache.pulsar.common.scalable.SegmentLoadStats;

/** The rates of a segment in trials. */
final class Rates {
    private Rates() {
    }

    static SegmentLoadStats of(JsonNode rates) {
        return new SegmentLoadStats(Json.number(rates, "msg_rate_in"), Json.number(rates, "throughput_in"),
                Json.number(rates, "msg_rate_out"), Json.number(rates, "throughput_out"));
    }
}
