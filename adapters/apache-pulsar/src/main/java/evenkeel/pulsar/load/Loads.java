package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Settings;
import java.util.Collection;
import java.util.TreeSet;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.apache.pulsar.policies.data.loadbalancer.SystemResourceUsage;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;

/** Pieces of trials and answers that several questions about load share. */
final class Loads {
    private Loads() {
    }

    /** A resource; a usage of null is what is not a number. */
    static ResourceUsage resource(JsonNode resource) {
        boolean known = !Json.field(resource, "usage").isNull();
        return new ResourceUsage(known ? Json.number(resource, "usage") : Double.NaN, Json.number(resource, "limit"));
    }

    /** All five resources of a broker. */
    static SystemResourceUsage resources(JsonNode resources) {
        SystemResourceUsage usage = new SystemResourceUsage();
        usage.setCpu(resource(Json.field(resources, "cpu")));
        usage.setMemory(resource(Json.field(resources, "memory")));
        usage.setDirectMemory(resource(Json.field(resources, "direct_memory")));
        usage.setBandwidthIn(resource(Json.field(resources, "bandwidth_in")));
        usage.setBandwidthOut(resource(Json.field(resources, "bandwidth_out")));
        return usage;
    }

    /** The rules for reports, put into the configuration. */
    static void configureReports(ServiceConfiguration config, JsonNode rules) {
        Settings.weights(config, Json.field(rules, "weights"));
        config.setLoadBalancerReportUpdateThresholdPercentage(Json.small(rules, "threshold"));
        config.setLoadBalancerReportUpdateMaxIntervalMinutes(Json.small(rules, "max_interval"));
        config.setLoadBalancerHistoryResourcePercentage(Json.number(rules, "history"));
    }

    /** A bundle's traffic, put into its statistics. */
    static NamespaceBundleStats traffic(NamespaceBundleStats stats, JsonNode traffic) {
        stats.msgRateIn = Json.number(traffic, "msg_rate_in");
        stats.msgRateOut = Json.number(traffic, "msg_rate_out");
        stats.msgThroughputIn = Json.number(traffic, "throughput_in");
        stats.msgThroughputOut = Json.number(traffic, "throughput_out");
        return stats;
    }

    /** A {@code BundleStatistics}. */
    static NamespaceBundleStats statistics(JsonNode statistics) {
        NamespaceBundleStats stats = traffic(new NamespaceBundleStats(), Json.field(statistics, "traffic"));
        stats.topics = Json.small(statistics, "topics");
        stats.producerCount = Json.small(statistics, "producers");
        stats.consumerCount = Json.small(statistics, "consumers");
        stats.cacheSize = Json.integer(statistics, "cache");
        return stats;
    }

    /** The number of the field; null where there is no finite one. */
    static void put(ObjectNode answer, String name, double value) {
        if (Double.isFinite(value)) {
            answer.put(name, value);
        } else {
            answer.putNull(name);
        }
    }

    static ObjectNode traffic(double rateIn, double rateOut, double throughputIn, double throughputOut) {
        return Json.object().put("msg_rate_in", rateIn).put("msg_rate_out", rateOut)
                .put("throughput_in", throughputIn).put("throughput_out", throughputOut);
    }

    private static ObjectNode traffic(TimeAverageMessageData data) {
        return traffic(data.getMsgRateIn(), data.getMsgRateOut(), data.getMsgThroughputIn(),
                data.getMsgThroughputOut());
    }

    /** What is remembered of a bundle. */
    static ObjectNode averages(BundleData data) {
        ObjectNode answer = Json.object().put("short_samples", data.getShortTermData().getNumSamples());
        answer.set("short_term", traffic(data.getShortTermData()));
        answer.put("long_samples", data.getLongTermData().getNumSamples());
        answer.set("long_term", traffic(data.getLongTermData()));
        return answer.put("topics", data.getTopics());
    }

    /** Names in order. */
    static ArrayNode sorted(Collection<String> names) {
        ArrayNode result = Json.array();
        new TreeSet<>(names).forEach(result::add);
        return result;
    }
}
