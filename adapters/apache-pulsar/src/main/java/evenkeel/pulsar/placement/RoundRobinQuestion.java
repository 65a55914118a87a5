package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.RoundRobinBrokerSelector;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/** {@code placement.round_robin}: one {@link RoundRobinBrokerSelector} for each trial. */
public final class RoundRobinQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();
    private final LoadData loadData = new LoadData();
    private final BundleData bundle = new BundleData(10, 1000);

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        RoundRobinBrokerSelector strategy = new RoundRobinBrokerSelector();
        Private.<AtomicInteger>get(RoundRobinBrokerSelector.class, strategy, "count")
                .set(Json.small(trial, "counter"));
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode ask : Json.list(trial, "asks")) {
            Set<String> candidates = Reports.candidates(ask, "candidates");
            results.addObject().put("do", "chosen").set("choices", Reports.choices(Json.small(ask, "times"),
                    () -> strategy.selectBroker(candidates, bundle, loadData, config)));
        }
        return answer;
    }
}
