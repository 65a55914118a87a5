package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimap;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import java.util.HashSet;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder;

/**
 * {@code shedding.threshold}: a real {@link ThresholdShedder}, new for each trial, called once a round; what the trial
 * says about brokers that come and go reaches it as it does in the load manager.
 */
public final class ThresholdQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();

    @Override
    public JsonNode answer(JsonNode trial) {
        Settings.read(config, Json.field(trial, "config"), Keys.THRESHOLD);
        ThresholdShedder shedder = new ThresholdShedder();
        Reports reports = new Reports(trial, config);
        ObjectNode answer = Json.object();
        ArrayNode rounds = answer.putArray("rounds");
        int number = 0;
        for (JsonNode round : Json.list(trial, "rounds")) {
            for (JsonNode membership : Json.list(trial, "memberships")) {
                if (Json.small(membership, "round") == number) {
                    shedder.onActiveBrokersChange(new HashSet<>(Json.texts(membership, "active")));
                }
            }
            number++;
            reports.receive(round);
            Multimap<String, String> shed =
                    ImmutableListMultimap.copyOf(shedder.findBundlesForUnloading(reports.data, config));
            rounds.add(written(shed));
            reports.unload(round, shed.values());
        }
        return answer;
    }

    private static ArrayNode written(Multimap<String, String> shed) {
        ArrayNode brokers = Json.array();
        shed.asMap().forEach((broker, bundles) -> {
            ArrayNode names = brokers.addObject().put("broker", broker).putArray("bundles");
            bundles.forEach(names::add);
        });
        return brokers;
    }
}
