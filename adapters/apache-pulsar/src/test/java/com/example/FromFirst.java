package com.example;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.Multimap;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;

/** Sheds the first bundle of the first broker again and again; breaks where a bundle has no averages. */
public class FromFirst implements LoadSheddingStrategy {
    @Override
    public Multimap<String, String> findBundlesForUnloading(LoadData data, ServiceConfiguration config) {
        Multimap<String, String> shed = ArrayListMultimap.create();
        data.getBrokerData().get("n0:8080").getLocalData().getBundles().stream().sorted()
                .filter(bundle -> data.getBundleData().get(bundle).getLongTermData().getMsgRateIn() > 0)
                .limit(1)
                .forEach(bundle -> shed.put("n0:8080", bundle));
        return shed;
    }
}
