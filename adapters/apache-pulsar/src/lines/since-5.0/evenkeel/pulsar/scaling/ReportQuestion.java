package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import org.apache.pulsar.broker.service.scalable.SegmentLoadReporter;

/** {@code scaling.report}: {@link SegmentLoadReporter#reportIfChanged} over records in memory. */
public final class ReportQuestion implements Question {
    private static final String THRESHOLD = "scalableTopicLoadReportRateChangeThreshold";

    @Override
    public JsonNode answer(JsonNode trial) {
        ToldLoads loads = ToldLoads.create();
        JsonNode stored = Json.field(trial, "stored");
        if (!stored.isNull()) {
            loads.reportSegmentLoadAsync(ToldLoads.TOPIC, 0, Rates.of(stored));
        }
        SegmentLoadReporter reporter = reporter(loads, Json.field(trial, "config"));
        ObjectNode answer = Json.object();
        ArrayNode written = answer.putArray("written");
        for (JsonNode sample : Json.list(trial, "samples")) {
            written.add(reporter.reportIfChanged(ToldLoads.TOPIC, 0, Rates.of(sample)).join());
        }
        return answer;
    }

    static SegmentLoadReporter reporter(ToldLoads loads, JsonNode config) {
        return new SegmentLoadReporter(loads, Json.number(config, THRESHOLD));
    }
}
