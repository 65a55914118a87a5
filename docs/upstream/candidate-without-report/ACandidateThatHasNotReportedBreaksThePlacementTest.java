// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.loadbalance.impl;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyData;
import org.apache.pulsar.common.policies.data.AutoFailoverPolicyType;
import org.apache.pulsar.common.policies.data.NamespaceIsolationDataImpl;
import org.apache.pulsar.common.policies.impl.NamespaceIsolationPolicies;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.testng.annotations.Test;

public class ACandidateThatHasNotReportedBreaksThePlacementTest {

    /**
     * A candidate that has not reported breaks the placement. While an isolation policy allows a broker whose report
     * the leader has not read, no broker is selected for a bundle of its namespaces, though another one that
     * reported may have it.
     */
    @Test
    public void testACandidateThatHasNotReportedBreaksThePlacement() throws Exception {
        ServiceConfiguration config = new ServiceConfiguration();
        config.setClusterName("test");
        PulsarService pulsar = mock(PulsarService.class, RETURNS_DEEP_STUBS);
        when(pulsar.getConfiguration()).thenReturn(config);
        // Two brokers are registered, and a policy has tenant/here served there.
        when(pulsar.getCoordinationService().getLockManager(LocalBrokerData.class).listLocks(any()))
                .thenReturn(CompletableFuture.completedFuture(List.of("host-1:8080", "host-2:8080")));
        NamespaceIsolationDataImpl policy = NamespaceIsolationDataImpl.builder()
                .namespaces(List.of("tenant/here")).primary(List.of("host-1", "host-2")).secondary(List.of())
                .autoFailoverPolicy(AutoFailoverPolicyData.builder()
                        .policyType(AutoFailoverPolicyType.min_available)
                        .parameters(Map.of("min_limit", "1", "usage_threshold", "80")).build()).build();
        when(pulsar.getPulsarResources().getNamespaceResources().getIsolationPolicies()
                .getIsolationDataPolicies(any()))
                .thenReturn(Optional.of(new NamespaceIsolationPolicies(Map.of("here", policy))));
        when(pulsar.getPulsarResources().getNamespaceResources().getPolicies(any())).thenReturn(Optional.empty());
        ModularLoadManagerImpl manager = new ModularLoadManagerImpl();
        manager.initialize(pulsar);
        NamespaceBundle bundle = new NamespaceBundle(NamespaceName.get("tenant/here"),
                NamespaceBundleFactory.getRange(0L, 0x80000000L), mock(NamespaceBundleFactory.class));
        // The leader knows the bundle, and has read the report of host-2, and not yet that of host-1.
        LoadData known = (LoadData) FieldUtils.readField(manager, "loadData", true);
        known.getBundleData().put(bundle.toString(), new BundleData(10, 1000));
        known.getBrokerData().put("host-2:8080", new BrokerData(new LocalBrokerData()));
        assertTrue(manager.selectBrokerForAssignment(bundle).isPresent());
    }
}
