// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.loadbalance.extensions.strategy;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertEquals;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitCounter;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.naming.BundleSplitOption;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.TopicCountEquallyDivideBundleSplitAlgorithm;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.mockito.ArgumentMatchers;
import org.testng.annotations.Test;

public class OneBundleThatCannotBeCutStopsAllSplitsOfItsBrokerTest {

    /**
     * One bundle that cannot be cut stops all splits of its broker. No bundle of the broker is split, however hot,
     * for as long as the bundle that cannot be cut is above a threshold.
     */
    @Test
    public void testOneBundleThatCannotBeCutStopsAllSplitsOfItsBroker() throws Exception {
        ServiceConfiguration config = new ServiceConfiguration();
        config.setLoadBalancerNamespaceBundleSplitConditionHitCountThreshold(0);
        PulsarService pulsar = mock(PulsarService.class, RETURNS_DEEP_STUBS);
        LoadManagerContext context = mock(LoadManagerContext.class, RETURNS_DEEP_STUBS);
        when(pulsar.getConfiguration()).thenReturn(config);
        when(context.brokerRegistry().getBrokerId()).thenReturn("broker-1:8080");
        // The broker owns two bundles of two topics each, both above the maximum of messages.
        String lower = "public/default/0x00000000_0x80000000";
        String upper = "public/default/0x80000000_0xffffffff";
        Map<String, List<String>> topics = Map.of(
                // Their hashes are 0 and 1.
                lower, List.of("persistent://public/default/mkkemcimkmea", "persistent://public/default/kckeommocmae"),
                upper, List.of("persistent://public/default/topic-2", "persistent://public/default/topic-3"));
        Map<String, NamespaceBundleStats> stats = new LinkedHashMap<>();
        for (String bundle : List.of(lower, upper)) {
            NamespaceBundleStats hot = new NamespaceBundleStats();
            hot.topics = 2;
            hot.msgRateIn = config.getLoadBalancerNamespaceBundleMaxMsgRate() + 1;
            stats.put(bundle, hot);
        }
        when(pulsar.getBrokerService().getBundleStats()).thenReturn(stats);
        ExtensibleLoadManagerWrapper manager = mock(ExtensibleLoadManagerWrapper.class, RETURNS_DEEP_STUBS);
        when(manager.get().getServiceUnitStateChannel().isOwner(anyString())).thenReturn(true);
        when(manager.get().getServiceUnitStateChannel().getOwnershipEntrySet()).thenReturn(Set.of());
        when(pulsar.getLoadManager()).thenReturn(new AtomicReference<>(manager));
        NamespaceBundleFactory factory = mock(NamespaceBundleFactory.class, CALLS_REAL_METHODS);
        doAnswer(call -> Hashing.crc32().hashString(call.getArgument(0, String.class), StandardCharsets.UTF_8)
                .padToLong()).when(factory).getLongHashCode(anyString());
        doNothing().when(factory).invalidateBundleCache(any());
        NamespaceService service = mock(NamespaceService.class);
        when(pulsar.getNamespaceService()).thenReturn(service);
        when(service.getNamespaceBundleFactory()).thenReturn(factory);
        when(service.getBundleCount(any())).thenReturn(2);
        when(service.getOwnedTopicListForNamespaceBundle(any())).thenAnswer(call ->
                CompletableFuture.completedFuture(topics.get(call.getArgument(0).toString())));
        when(service.getSplitBoundary(any(), ArgumentMatchers.<List<Long>>isNull(), any())).thenAnswer(call ->
                new TopicCountEquallyDivideBundleSplitAlgorithm().getSplitBoundary(
                        new BundleSplitOption(service, call.getArgument(0), null)));
        Set<String> split = new HashSet<>();
        new DefaultNamespaceBundleSplitStrategyImpl(new SplitCounter()).findBundlesToSplit(context, pulsar)
                .forEach(decision -> split.add(decision.getSplit().serviceUnit()));
        split.remove(lower); // whether it is split, at another position, is left open
        assertEquals(split, Set.of(upper));
    }
}
