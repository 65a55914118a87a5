// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.loadbalance.impl;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertEquals;

import java.util.Map;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.testng.annotations.Test;

public class WithABandwidthLimitOf2048MBEveryBundleIsDueForASplitTest {

    /**
     * With a bandwidth limit of 2048 MB every bundle is due for a split. Bundles without traffic are selected for a
     * split.
     */
    @Test
    public void testWithABandwidthLimitOf2048MBEveryBundleIsDueForASplit() throws Exception {
        ServiceConfiguration config = new ServiceConfiguration();
        config.setLoadBalancerNamespaceBundleMaxTopics(1000);
        config.setLoadBalancerNamespaceBundleMaxSessions(1000);
        config.setLoadBalancerNamespaceBundleMaxMsgRate(30000);
        config.setLoadBalancerNamespaceBundleMaxBandwidthMbytes(2048);
        config.setLoadBalancerNamespaceMaximumBundles(128);
        NamespaceService namespaces = mock(NamespaceService.class);
        when(namespaces.getBundleCount(NamespaceName.get("t/ns"))).thenReturn(123);
        PulsarService pulsar = mock(PulsarService.class);
        when(pulsar.getConfiguration()).thenReturn(config);
        when(pulsar.getNamespaceService()).thenReturn(namespaces);

        LoadData loadData = new LoadData();
        {
            NamespaceBundleStats stats = new NamespaceBundleStats();
            stats.topics = 2;
            stats.producerCount = 0;
            stats.consumerCount = 0;
            stats.msgRateIn = 0.0;
            stats.msgRateOut = 0.0;
            stats.msgThroughputIn = 0.0;
            stats.msgThroughputOut = 0.0;
            loadData.getBrokerData().computeIfAbsent("broker-1", any -> new BrokerData(new LocalBrokerData()))
                    .getLocalData().getLastStats().put("t/ns/0x40000000_0x80000000", stats);
            BundleData averages = new BundleData(10, 1000);
            averages.update(stats);
            loadData.getBundleData().put("t/ns/0x40000000_0x80000000", averages);
        }
        assertEquals(new BundleSplitterTask().findBundlesToSplit(loadData, pulsar), Map.of());
    }
}
