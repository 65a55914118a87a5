package com.example;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.Multimap;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;

/**
 * The busiest broker sheds one bundle: the largest that leaves the most idle broker, if it goes there, with less than
 * the busiest has now. Then all wait for reports that know of it. Load is messages a second.
 */
public class FairShareShedder implements LoadSheddingStrategy {
    @Override
    public Multimap<String, String> findBundlesForUnloading(LoadData data, ServiceConfiguration conf) {
        Map<String, Double> rates = new TreeMap<>();
        data.getBrokerData().forEach((name, broker) -> rates.put(name, rate(broker.getLocalData())));
        double most = rates.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double least = rates.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
        Multimap<String, String> shed = ArrayListMultimap.create();
        if (isOutdated(data)) {
            return shed;
        }
        for (String broker : rates.keySet()) {
            if (shed.isEmpty() && rates.get(broker) == most) {
                data.getBrokerData().get(broker).getLocalData().getBundles().stream()
                        .filter(bundle -> mayMove(bundle, data))
                        .filter(bundle -> least + rate(bundle, data) < most)
                        .max(Comparator.comparing((String bundle) -> rate(bundle, data))
                                .thenComparing(Comparator.naturalOrder()))
                        .ifPresent(bundle -> shed.put(broker, bundle));
            }
        }
        return shed;
    }

    /** Whether a broker has reported before the last unload: it may count a bundle that is elsewhere by now. */
    private static boolean isOutdated(LoadData data) {
        long unloaded = data.getRecentlyUnloadedBundles().values().stream().mapToLong(Long::longValue).max().orElse(0);
        return data.getBrokerData().values().stream()
                .anyMatch(broker -> broker.getLocalData().getLastUpdate() < unloaded);
    }

    /** What was moved a moment ago rests; of a new bundle nothing is known; one without traffic changes nothing. */
    private static boolean mayMove(String bundle, LoadData data) {
        return !data.getRecentlyUnloadedBundles().containsKey(bundle)
                && data.getBundleData().containsKey(bundle)
                && rate(bundle, data) > 0;
    }

    private static double rate(LocalBrokerData broker) {
        return broker.getMsgRateIn() + broker.getMsgRateOut();
    }

    private static double rate(String bundle, LoadData data) {
        TimeAverageMessageData average = data.getBundleData().get(bundle).getLongTermData();
        return average.getMsgRateIn() + average.getMsgRateOut();
    }
}
