package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import java.util.Map;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLoadData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.SystemResourceUsage;

/**
 * {@code load.usage}: a {@link LocalBrokerData} and a {@link BrokerLoadData} are updated with the resources, and asked
 * for their scores with the weights that {@link ServiceConfiguration} makes of the configured ones. The first update
 * of a {@link BrokerLoadData} is not smoothed.
 */
public final class UsageQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();

    @Override
    @SuppressWarnings("deprecation")
    public JsonNode answer(JsonNode trial) {
        Settings.weights(config, Json.field(trial, "weights"));
        config.setLoadBalancerBandwithInResourceWeight(Json.number(trial, "misspelt_in"));
        config.setLoadBalancerBandwithOutResourceWeight(Json.number(trial, "misspelt_out"));
        SystemResourceUsage usage = Loads.resources(trial);
        LocalBrokerData modular = new LocalBrokerData();
        modular.update(usage, Map.of());
        BrokerLoadData extensible = new BrokerLoadData();
        extensible.update(usage, 0, 0, 0, 0, 0, 0, config);
        ObjectNode answer = Json.object();
        Loads.put(answer, "cpu", modular.getCpu().percentUsage());
        Loads.put(answer, "memory", modular.getMemory().percentUsage());
        Loads.put(answer, "direct_memory", modular.getDirectMemory().percentUsage());
        Loads.put(answer, "bandwidth_in", modular.getBandwidthIn().percentUsage());
        Loads.put(answer, "bandwidth_out", modular.getBandwidthOut().percentUsage());
        double weightIn = BandwidthWeights.in(config);
        double weightOut = BandwidthWeights.out(config);
        answer.put("weight_in", weightIn).put("weight_out", weightOut);
        Loads.put(answer, "weighted", modular.getMaxResourceUsageWithWeight(config.getLoadBalancerCPUResourceWeight(),
                config.getLoadBalancerDirectMemoryResourceWeight(), weightIn, weightOut));
        Loads.put(answer, "weighted_with_heap", extensible.getWeightedMaxEMA());
        Loads.put(answer, "unweighted", modular.getMaxResourceUsage());
        Loads.put(answer, "unweighted_extensible", extensible.getMaxResourceUsage());
        return answer;
    }
}
