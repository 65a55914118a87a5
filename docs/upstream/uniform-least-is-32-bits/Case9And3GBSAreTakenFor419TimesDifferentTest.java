// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.loadbalance.impl;

import static org.testng.Assert.assertEquals;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.Multimap;
import com.google.common.collect.Multimaps;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.apache.pulsar.policies.data.loadbalancer.TimeAverageMessageData;
import org.testng.annotations.Test;

public class Case9And3GBSAreTakenFor419TimesDifferentTest {

    /**
     * 9 and 3 GB/s are taken for 4.19 times different. A bundle is unloaded although the difference is below the
     * threshold.
     */
    @Test
    public void testCase9And3GBSAreTakenFor419TimesDifferent() throws Exception {
        // Usage and limit of processor, memory, direct memory, bandwidth in and out, then rates and throughputs.
        Function<double[], LocalBrokerData> report = of -> {
            LocalBrokerData made = new LocalBrokerData();
            made.setCpu(new ResourceUsage(of[0], of[1]));
            made.setMemory(new ResourceUsage(of[2], of[3]));
            made.setDirectMemory(new ResourceUsage(of[4], of[5]));
            made.setBandwidthIn(new ResourceUsage(of[6], of[7]));
            made.setBandwidthOut(new ResourceUsage(of[8], of[9]));
            made.setMsgRateIn(of[10]);
            made.setMsgRateOut(of[11]);
            made.setMsgThroughputIn(of[12]);
            made.setMsgThroughputOut(of[13]);
            return made;
        };
        // Rates and throughputs of the short term, then of the long term.
        Function<double[], BundleData> averages = of -> {
            BundleData made = new BundleData(10, 1000);
            made.getShortTermData().setMsgRateIn(of[0]);
            made.getShortTermData().setMsgRateOut(of[1]);
            made.getShortTermData().setMsgThroughputIn(of[2]);
            made.getShortTermData().setMsgThroughputOut(of[3]);
            made.getLongTermData().setMsgRateIn(of[4]);
            made.getLongTermData().setMsgRateOut(of[5]);
            made.getLongTermData().setMsgThroughputIn(of[6]);
            made.getLongTermData().setMsgThroughputOut(of[7]);
            return made;
        };
        ServiceConfiguration config = new ServiceConfiguration();
        config.setLoadBalancerSheddingGracePeriodMinutes(30);
        config.setLoadBalancerMsgRateDifferenceShedderThreshold(50.0);
        config.setLoadBalancerMsgThroughputMultiplierDifferenceShedderThreshold(4.0);
        config.setMaxUnloadPercentage(0.2);
        config.setMinUnloadMessage(1000);
        config.setMinUnloadMessageThroughput(1048576);
        config.setMaxUnloadBundleNumPerShedding(-1);
        LoadData data = new LoadData();
        // Equally heavy bundles are interchangeable.
        Function<Map<String, Set<String>>, Map<String, List<String>>> byLoad = all -> {
            Map<String, List<String>> made = new TreeMap<>();
            all.forEach((broker, bundles) -> made.put(broker, bundles.stream().map(bundle -> {
                TimeAverageMessageData load = data.getBundleData().get(bundle).getShortTermData();
                return (load.getMsgThroughputIn() + load.getMsgThroughputOut()) + " B/s, "
                        + (load.getMsgRateIn() + load.getMsgRateOut()) + " msg/s";
            }).sorted().toList()));
            return made;
        };
        UniformLoadShedder shedder = new UniformLoadShedder();

        { // Round 1, at 0 min.
            data.getRecentlyUnloadedBundles().values().removeIf(at -> at < -1800000L);
            data.getBrokerData().clear();
            data.getBundleData().clear();
            data.getBrokerData().put("a", new BrokerData(report.apply(new double[] {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4500000000.0, 4500000000.0})));
            data.getBrokerData().get("a").getLocalData().getBundles().addAll(List.of("t/ns/0x00000000_0x01000000",
                    "t/ns/0x01000000_0x02000000"));
            data.getBrokerData().put("b", new BrokerData(report.apply(new double[] {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1500000000.0, 1500000000.0})));
            data.getBrokerData().get("b").getLocalData().getBundles().addAll(List.of());
            data.getBundleData().put("t/ns/0x00000000_0x01000000",
                    averages.apply(new double[] {0.0, 0.0, 52428800.0, 52428800.0, 0.0, 0.0, 52428800.0, 52428800.0}));
            data.getBundleData().put("t/ns/0x01000000_0x02000000",
                    averages.apply(new double[] {0.0, 0.0, 104857600.0, 104857600.0, 0.0, 0.0, 104857600.0, 104857600.0}));
            Multimap<String, String> shed =
                    ImmutableSetMultimap.copyOf(shedder.findBundlesForUnloading(data, config));
            assertEquals(byLoad.apply(Multimaps.asMap((ImmutableSetMultimap<String, String>) shed)),
                    byLoad.apply(Map.of()));
            for (String bundle : shed.values()) {
                if (!Set.of().contains(bundle)) {
                    data.getRecentlyUnloadedBundles().put(bundle, 0L);
                }
            }
        }
    }
}
