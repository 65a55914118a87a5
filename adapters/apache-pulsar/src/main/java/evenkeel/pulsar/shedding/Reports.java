package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;

/**
 * What a modular shedder is given: the {@link LoadData} of a trial, round after round.
 *
 * <p>A shedder only reads it. That the leader forgets unloaded bundles when their grace period is over and remembers
 * those that it has just unloaded is {@code ModularLoadManagerImpl.doLoadShedding}'s work, which needs a broker, other
 * brokers and the wall clock; these two rules are repeated here.
 */
public final class Reports {
    public final LoadData data = new LoadData();

    private final ServiceConfiguration config;
    private long now;

    public Reports(JsonNode trial, ServiceConfiguration config) {
        this.config = config;
        for (JsonNode unloaded : Json.list(trial, "recently_unloaded")) {
            data.getRecentlyUnloadedBundles().put(Json.text(unloaded, "bundle"), Json.integer(unloaded, "at"));
        }
    }

    /** The reports and averages of a round replace those of the one before. */
    public void receive(JsonNode round) {
        now = Json.integer(round, "at");
        long oldest = now - TimeUnit.MINUTES.toMillis(config.getLoadBalancerSheddingGracePeriodMinutes());
        data.getRecentlyUnloadedBundles().values().removeIf(at -> at < oldest);
        data.getBrokerData().clear();
        for (JsonNode broker : Json.list(round, "brokers")) {
            data.getBrokerData().put(Json.text(broker, "broker"), new BrokerData(report(broker)));
        }
        data.getBundleData().clear();
        for (JsonNode bundle : Json.list(round, "bundles")) {
            data.getBundleData().put(Json.text(bundle, "bundle"), averages(bundle));
        }
    }

    /** These bundles were shed in this round; those that the trial does not let fail were unloaded. */
    public void unload(JsonNode round, Iterable<String> bundles) {
        Set<String> failing = new HashSet<>(Json.texts(round, "failing"));
        for (String bundle : bundles) {
            if (!failing.contains(bundle)) {
                data.getRecentlyUnloadedBundles().put(bundle, now);
            }
        }
    }

    private static LocalBrokerData report(JsonNode broker) {
        LocalBrokerData local = new LocalBrokerData();
        JsonNode resources = Json.field(broker, "resources");
        local.setCpu(resource(resources, "cpu"));
        local.setMemory(resource(resources, "memory"));
        local.setDirectMemory(resource(resources, "direct_memory"));
        local.setBandwidthIn(resource(resources, "bandwidth_in"));
        local.setBandwidthOut(resource(resources, "bandwidth_out"));
        JsonNode traffic = Json.field(broker, "traffic");
        local.setMsgRateIn(Json.number(traffic, "msg_rate_in"));
        local.setMsgRateOut(Json.number(traffic, "msg_rate_out"));
        local.setMsgThroughputIn(Json.number(traffic, "throughput_in"));
        local.setMsgThroughputOut(Json.number(traffic, "throughput_out"));
        local.getBundles().addAll(Json.texts(broker, "bundles"));
        return local;
    }

    private static ResourceUsage resource(JsonNode resources, String name) {
        JsonNode resource = Json.field(resources, name);
        return new ResourceUsage(Json.number(resource, "usage"), Json.number(resource, "limit"));
    }

    private static BundleData averages(JsonNode bundle) {
        BundleData data = new BundleData(10, 1000);
        average(data.getShortTermData(), Json.field(bundle, "short_term"));
        average(data.getLongTermData(), Json.field(bundle, "long_term"));
        return data;
    }

    private static void average(TimeAverageMessageData data, JsonNode traffic) {
        data.setMsgRateIn(Json.number(traffic, "msg_rate_in"));
        data.setMsgRateOut(Json.number(traffic, "msg_rate_out"));
        data.setMsgThroughputIn(Json.number(traffic, "throughput_in"));
        data.setMsgThroughputOut(Json.number(traffic, "throughput_out"));
    }
}
