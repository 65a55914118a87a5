package evenkeel.pulsar.shedding;

import java.util.List;
import java.util.stream.Stream;

/** The settings of the modular shedders. */
final class Keys {
    private static final List<String> GRACE = List.of("loadBalancerSheddingGracePeriodMinutes");
    private static final List<String> WEIGHTED = plus(GRACE, "loadBalancerCPUResourceWeight",
            "loadBalancerDirectMemoryResourceWeight", "loadBalancerBandwidthInResourceWeight",
            "loadBalancerBandwidthOutResourceWeight");

    static final List<String> OVERLOAD = plus(WEIGHTED, "loadBalancerBrokerOverloadedThresholdPercentage");
    static final List<String> THRESHOLD = plus(WEIGHTED, "loadBalancerBrokerThresholdShedderPercentage",
            "loadBalancerHistoryResourcePercentage", "loadBalancerBundleUnloadMinThroughputThreshold",
            "lowerBoundarySheddingEnabled");
    static final List<String> UNIFORM = plus(GRACE, "loadBalancerMsgRateDifferenceShedderThreshold",
            "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold", "maxUnloadBundleNumPerShedding",
            "maxUnloadPercentage", "minUnloadMessage", "minUnloadMessageThroughput");
    static final List<String> AVG = plus(WEIGHTED, "loadBalancerAvgShedderLowThreshold",
            "loadBalancerAvgShedderHighThreshold", "loadBalancerAvgShedderHitCountLowThreshold",
            "loadBalancerAvgShedderHitCountHighThreshold", "maxUnloadPercentage", "minUnloadMessage",
            "minUnloadMessageThroughput");

    private Keys() {
    }

    private static List<String> plus(List<String> common, String... own) {
        return Stream.concat(common.stream(), Stream.of(own)).toList();
    }
}
