package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import org.apache.pulsar.broker.ServiceConfiguration;

/** The configuration keys of the modular shedders, put into a {@link ServiceConfiguration}. */
public final class Keys {
    private Keys() {
    }

    public static void grace(ServiceConfiguration config, JsonNode keys) {
        config.setLoadBalancerSheddingGracePeriodMinutes(
                Json.integer(keys, "loadBalancerSheddingGracePeriodMinutes"));
    }

    public static void weights(ServiceConfiguration config, JsonNode keys) {
        config.setLoadBalancerCPUResourceWeight(Json.number(keys, "loadBalancerCPUResourceWeight"));
        config.setLoadBalancerDirectMemoryResourceWeight(
                Json.number(keys, "loadBalancerDirectMemoryResourceWeight"));
        config.setLoadBalancerBandwidthInResourceWeight(
                Json.number(keys, "loadBalancerBandwidthInResourceWeight"));
        config.setLoadBalancerBandwidthOutResourceWeight(
                Json.number(keys, "loadBalancerBandwidthOutResourceWeight"));
    }

    static void overload(ServiceConfiguration config, JsonNode keys) {
        weights(config, keys);
        config.setLoadBalancerBrokerOverloadedThresholdPercentage(
                Json.small(keys, "loadBalancerBrokerOverloadedThresholdPercentage"));
    }

    static void uniform(ServiceConfiguration config, JsonNode keys) {
        config.setLoadBalancerMsgRateDifferenceShedderThreshold(
                Json.number(keys, "loadBalancerMsgRateDifferenceShedderThreshold"));
        config.setLoadBalancerMsgThroughputMultiplierDifferenceShedderThreshold(
                Json.number(keys, "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold"));
        config.setMaxUnloadBundleNumPerShedding(Json.small(keys, "maxUnloadBundleNumPerShedding"));
        amounts(config, keys);
    }

    static void avg(ServiceConfiguration config, JsonNode keys) {
        weights(config, keys);
        config.setLoadBalancerAvgShedderLowThreshold(Json.small(keys, "loadBalancerAvgShedderLowThreshold"));
        config.setLoadBalancerAvgShedderHighThreshold(Json.small(keys, "loadBalancerAvgShedderHighThreshold"));
        config.setLoadBalancerAvgShedderHitCountLowThreshold(
                Json.small(keys, "loadBalancerAvgShedderHitCountLowThreshold"));
        config.setLoadBalancerAvgShedderHitCountHighThreshold(
                Json.small(keys, "loadBalancerAvgShedderHitCountHighThreshold"));
        amounts(config, keys);
    }

    private static void amounts(ServiceConfiguration config, JsonNode keys) {
        config.setMaxUnloadPercentage(Json.number(keys, "maxUnloadPercentage"));
        config.setMinUnloadMessage(Json.small(keys, "minUnloadMessage"));
        config.setMinUnloadMessageThroughput(Json.small(keys, "minUnloadMessageThroughput"));
    }
}
