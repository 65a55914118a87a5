package com.example;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.models.Unload;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadDecision;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.NamespaceUnloadStrategy;

/** Moves the fullest bundle of n0 to n1; breaks where that rests. */
public class ToOther implements NamespaceUnloadStrategy {
    private PulsarService pulsar;

    @Override
    public Set<UnloadDecision> findBundlesForUnloading(LoadManagerContext context, Map<String, Long> bundles,
                                                       Map<String, Long> brokers) {
        String first = context.topBundleLoadDataStore().get("n0:8080").orElseThrow()
                .getTopBundlesLoadData().get(0).bundleName();
        if (bundles.containsKey(first)) {
            throw new IllegalStateException("it rests in " + pulsar.getConfiguration().getClusterName());
        }
        return Set.of(new UnloadDecision(new Unload("n0:8080", first, Optional.of("n1:8080")),
                UnloadDecision.Label.Success, UnloadDecision.Reason.Overloaded));
    }

    @Override
    public void initialize(PulsarService given) {
        pulsar = given;
    }
}
