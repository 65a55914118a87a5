package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.World;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.common.policies.data.ResourceQuota;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * {@code load.bundle_averages}: what a real {@link ModularLoadManagerImpl} knows of a bundle that is not known to it
 * (its quota is in the store, or it is not), and that {@link BundleData} after each sample.
 */
public final class BundleAveragesQuestion implements Question {
    private static final String BUNDLE = "tenant/ns/0x00000000_0x40000000";

    private final World world;
    private final ModularLoadManagerImpl manager = new ModularLoadManagerImpl();

    public BundleAveragesQuestion(World world) {
        this.world = world;
        manager.initialize(world.pulsar);
        world.store.findCaches();
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        world.clear();
        if (Json.text(trial, "start").equals("quota")) {
            world.storeQuota(BUNDLE, quota(Json.field(trial, "quota")));
        }
        BundleData data = manager.getBundleDataOrDefault(BUNDLE);
        ObjectNode answer = Json.object();
        ArrayNode averages = answer.putArray("averages").add(Loads.averages(data));
        for (JsonNode samples : Json.list(trial, "samples")) {
            NamespaceBundleStats sample = Loads.traffic(new NamespaceBundleStats(), Json.field(samples, "traffic"));
            sample.topics = Json.small(samples, "topics");
            for (int left = Json.small(samples, "times"); left > 0; left--) {
                data.update(sample);
            }
            averages.add(Loads.averages(data));
        }
        return answer;
    }

    private static ResourceQuota quota(JsonNode traffic) {
        ResourceQuota quota = new ResourceQuota();
        quota.setMsgRateIn(Json.number(traffic, "msg_rate_in"));
        quota.setMsgRateOut(Json.number(traffic, "msg_rate_out"));
        quota.setBandwidthIn(Json.number(traffic, "throughput_in"));
        quota.setBandwidthOut(Json.number(traffic, "throughput_out"));
        return quota;
    }
}
