package com.example;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.Multimap;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;

/**
 * The busiest broker sheds one bundle a round: the largest that leaves the most idle broker, if it goes there, with less
 * than the busiest has now. Broker and bundle are compared by messages a second.
 */
public class FairShareShedder implements LoadSheddingStrategy {
    @Override
    public Multimap<String, String> findBundlesForUnloading(LoadData data, ServiceConfiguration conf) {
        Multimap<String, String> shed = ArrayListMultimap.create();
        Map<String, Double> rates = new TreeMap<>();
        data.getBrokerData().forEach((name, broker) -> {
            if (broker.getLocalData() != null) {
                rates.put(name, rate(broker.getLocalData()));
            }
        });
        if (rates.size() < 2) {
            return shed;
        }
        String busiest = rates.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
        double most = rates.get(busiest);
        double least = rates.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        data.getBrokerData().get(busiest).getLocalData().getBundles().stream()
                // What was moved a moment ago rests; of a new bundle nothing is known yet.
                .filter(bundle -> !data.getRecentlyUnloadedBundles().containsKey(bundle))
                .filter(bundle -> data.getBundleData().containsKey(bundle))
                .filter(bundle -> least + rate(data.getBundleData().get(bundle)) < most)
                .filter(bundle -> rate(data.getBundleData().get(bundle)) > 0)
                .max(Comparator.comparing((String bundle) -> rate(data.getBundleData().get(bundle)))
                        .thenComparing(Comparator.naturalOrder()))
                .ifPresent(bundle -> shed.put(busiest, bundle));
        return shed;
    }

    private static double rate(LocalBrokerData broker) {
        return broker.getMsgRateIn() + broker.getMsgRateOut();
    }

    private static double rate(BundleData bundle) {
        TimeAverageMessageData average = bundle.getLongTermData();
        return average.getMsgRateIn() + average.getMsgRateOut();
    }
}
