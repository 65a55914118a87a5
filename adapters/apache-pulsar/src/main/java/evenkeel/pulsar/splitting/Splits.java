package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.bundles.Bundles;
import evenkeel.pulsar.standin.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.stats.TopicStatsImpl;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/** Pieces of trials that several questions about splitting share. */
final class Splits {
    private Splits() {
    }

    /** A {@code HashRange} as a bundle of the namespace. */
    static NamespaceBundle bundle(World world, NamespaceName namespace, JsonNode range) {
        return world.bundle(namespace, Json.integer(range, "lower"), Json.integer(range, "upper"));
    }

    /** The statistics of the topics that are reported. */
    static Map<String, TopicStatsImpl> topicStats(JsonNode topics) {
        Map<String, TopicStatsImpl> result = new HashMap<>();
        for (JsonNode load : topics) {
            if (Json.flag(load, "reported")) {
                TopicStatsImpl stats = new TopicStatsImpl();
                stats.msgRateIn = Json.number(load, "msg_rate_in");
                stats.msgRateOut = Json.number(load, "msg_rate_out");
                stats.msgThroughputIn = Json.number(load, "throughput_in");
                stats.msgThroughputOut = Json.number(load, "throughput_out");
                result.put(Bundles.topic(Json.text(load, "topic")).toString(), stats);
            }
        }
        return result;
    }

    /** The rules for bundles that are due. */
    static void configureDue(ServiceConfiguration config, JsonNode rules) {
        Settings.read(config, rules, List.of("loadBalancerNamespaceBundleMaxTopics",
                "loadBalancerNamespaceBundleMaxSessions", "loadBalancerNamespaceBundleMaxMsgRate",
                "loadBalancerNamespaceBundleMaxBandwidthMbytes", "loadBalancerNamespaceMaximumBundles",
                "loadBalancerAutoBundleSplitEnabled", "loadBalancerNamespaceBundleSplitConditionHitCountThreshold",
                "loadBalancerMaxNumberOfBundlesToSplitPerCycle"));
    }

    /** A {@code BundleLoad} as brokers report it. */
    static NamespaceBundleStats bundleStats(JsonNode load) {
        NamespaceBundleStats stats = new NamespaceBundleStats();
        stats.topics = Json.small(load, "topics");
        stats.producerCount = Json.small(load, "producers");
        stats.consumerCount = Json.small(load, "consumers");
        stats.msgRateIn = Json.number(load, "msg_rate_in");
        stats.msgRateOut = Json.number(load, "msg_rate_out");
        stats.msgThroughputIn = Json.number(load, "throughput_in");
        stats.msgThroughputOut = Json.number(load, "throughput_out");
        return stats;
    }

    /** {@code NamespaceCount}s as a map. */
    static Map<String, Integer> counts(JsonNode counts) {
        Map<String, Integer> result = new HashMap<>();
        for (JsonNode count : counts) {
            result.put(Json.text(count, "namespace"), Json.small(count, "bundles"));
        }
        return result;
    }
}
