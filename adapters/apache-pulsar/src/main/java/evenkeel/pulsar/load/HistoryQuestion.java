package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.impl.LeastResourceUsageWithWeight;
import org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/**
 * {@code load.history}: the {@link ThresholdShedder} works out the mean over the brokers, with which each of its rounds
 * begins; {@link LeastResourceUsageWithWeight} chooses one of them. Both keep their scores in a map.
 */
public final class HistoryQuestion implements Question {
    private static final double LIMIT = 100;

    private final ServiceConfiguration config = new ServiceConfiguration();
    private final Method mean = Private.method(
            ThresholdShedder.class, "getBrokerAvgUsage", LoadData.class, double.class, ServiceConfiguration.class);

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        config.setLoadBalancerHistoryResourcePercentage(Json.number(trial, "weight"));
        String keeper = Json.text(trial, "keeper");
        return switch (keeper) {
            case "threshold_shedder" -> shedder(new ThresholdShedder(), trial);
            case "least_resource_usage" -> placement(new LeastResourceUsageWithWeight(), trial);
            default -> throw new BadTrial("unknown keeper " + keeper);
        };
    }

    private ObjectNode shedder(ThresholdShedder shedder, JsonNode trial) throws Exception {
        Map<String, Double> scores = Private.get(ThresholdShedder.class, shedder, "brokerAvgResourceUsage");
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode command : Json.list(trial, "commands")) {
            if (Json.text(command, "do").equals("active")) {
                shedder.onActiveBrokersChange(active(command));
                results.addObject().put("do", "told");
                continue;
            }
            Object average = mean.invoke(
                    shedder, seen(command), config.getLoadBalancerHistoryResourcePercentage(), config);
            results.add(scores(command, scores).put("mean", (double) average));
        }
        return answer;
    }

    private ObjectNode placement(LeastResourceUsageWithWeight placement, JsonNode trial) {
        Map<String, Double> scores =
                Private.get(LeastResourceUsageWithWeight.class, placement, "brokerAvgResourceUsageWithWeight");
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        for (JsonNode command : Json.list(trial, "commands")) {
            if (Json.text(command, "do").equals("active")) {
                placement.onActiveBrokersChange(active(command));
                results.addObject().put("do", "told");
                continue;
            }
            LoadData seen = seen(command);
            placement.selectBroker(seen.getBrokerData().keySet(), new BundleData(), seen, config);
            results.add(scores(command, scores).putNull("mean"));
        }
        return answer;
    }

    private static Set<String> active(JsonNode command) {
        return new HashSet<>(Json.texts(command, "brokers"));
    }

    private static LoadData seen(JsonNode command) {
        LoadData data = new LoadData();
        for (JsonNode seen : Json.list(command, "brokers")) {
            LocalBrokerData broker = new LocalBrokerData();
            broker.setCpu(new ResourceUsage(Json.number(seen, "cpu"), LIMIT));
            broker.setMsgRateIn(Json.number(seen, "msg_rate"));
            for (int bundle = 0; bundle < Json.small(seen, "bundles"); bundle++) {
                broker.getBundles().add("bundle-" + bundle);
            }
            data.getBrokerData().put(Json.text(seen, "broker"), new BrokerData(broker));
        }
        return data;
    }

    private static ObjectNode scores(JsonNode command, Map<String, Double> known) {
        ObjectNode answer = Json.object().put("do", "scores");
        ArrayNode scores = answer.putArray("scores");
        for (JsonNode seen : Json.list(command, "brokers")) {
            String broker = Json.text(seen, "broker");
            scores.addObject().put("broker", broker).put("score", known.get(broker));
        }
        return answer;
    }
}
