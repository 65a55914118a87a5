package evenkeel.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.load.BandwidthWeights;
import java.io.IOException;
import java.util.List;
import org.apache.pulsar.broker.ServiceConfiguration;

/** A trial's settings, put into a {@link ServiceConfiguration}. */
public final class Settings {
    private Settings() {
    }

    /**
     * Sets some settings of an object, which the wire protocol names as Pulsar does. Each must be there: otherwise the
     * value of an earlier trial would count.
     */
    public static void read(ServiceConfiguration config, JsonNode settings, List<String> names) {
        ObjectNode keys = Json.object();
        for (String name : names) {
            keys.set(BandwidthWeights.name(name), Json.field(settings, name));
        }
        try {
            Json.MAPPER.readerForUpdating(config).readValue(keys);
        } catch (IOException bad) {
            throw new BadTrial(bad.getMessage());
        }
    }

    /** Sets the weights of resources, which a trial names by the resources alone. */
    public static void weights(ServiceConfiguration config, JsonNode weights) {
        config.setLoadBalancerCPUResourceWeight(Json.number(weights, "cpu"));
        config.setLoadBalancerMemoryResourceWeight(Json.number(weights, "memory"));
        config.setLoadBalancerDirectMemoryResourceWeight(Json.number(weights, "direct_memory"));
        BandwidthWeights.set(config, Json.number(weights, "bandwidth_in"), Json.number(weights, "bandwidth_out"));
    }
}
