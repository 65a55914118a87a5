// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.loadbalance.impl;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.ResourceUnit;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.testng.annotations.Test;

public class TheFirstLookupAfterAnUnloadIsSentToABrokerThatLeftMeanwhileTest {

    /**
     * The first lookup after an unload is sent to a broker that left meanwhile. The lookup fails; the client's next
     * one gets another broker.
     */
    @Test
    public void testTheFirstLookupAfterAnUnloadIsSentToABrokerThatLeftMeanwhile() throws Exception {
        String destination = "host-2:8080";
        ServiceConfiguration config = new ServiceConfiguration();
        config.setClusterName("test");
        PulsarService pulsar = mock(PulsarService.class, RETURNS_DEEP_STUBS);
        when(pulsar.getConfiguration()).thenReturn(config);
        // host-2 has left, and host-1 alone is registered and has reported.
        when(pulsar.getCoordinationService().getLockManager(LocalBrokerData.class).listLocks(any()))
                .thenReturn(CompletableFuture.completedFuture(List.of("host-1:8080")));
        when(pulsar.getPulsarResources().getNamespaceResources().getIsolationPolicies()
                .getIsolationDataPolicies(any())).thenReturn(Optional.empty());
        when(pulsar.getPulsarResources().getNamespaceResources().getPolicies(any())).thenReturn(Optional.empty());
        ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
        manager.initialize(pulsar);
        NamespaceBundle bundle = new NamespaceBundle(NamespaceName.get("tenant/here"),
                NamespaceBundleFactory.getRange(0L, 0x80000000L), mock(NamespaceBundleFactory.class));
        LoadData known = (LoadData) FieldUtils.readField(manager, "loadData", true);
        known.getBundleData().put(bundle.toString(), new BundleData(10, 1000));
        known.getBrokerData().put("host-1:8080", new BrokerData(new LocalBrokerData()));
        // Before it left, the bundle was unloaded to it. Until 4.0 its range was the key, since 4.2 its name is.
        manager.setNamespaceBundleAffinity(bundle.getBundleRange(), destination);
        manager.setNamespaceBundleAffinity(bundle.toString(), destination);
        // Now a client looks up one of the bundle's topics.
        Optional<ResourceUnit> found = new ModularLoadManagerWrapper(manager).getLeastLoaded(bundle);
        assertEquals(found.map(ResourceUnit::getResourceId), Optional.of("host-1:8080"));
    }
}
