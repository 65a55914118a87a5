package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceBundleSplitAlgorithm;
import org.apache.pulsar.common.naming.NamespaceBundles;
import org.apache.pulsar.common.naming.NamespaceName;

/** The namespaces of a broker: dividing a range takes until the trial says that it is done. */
final class BrokerNamespaces extends NamespaceService {
    private Broker broker;
    private NamespaceBundleFactory factory;

    private BrokerNamespaces() {
        super(null);
    }

    static BrokerNamespaces create(Broker broker) {
        BrokerNamespaces namespaces = Private.allocate(BrokerNamespaces.class);
        namespaces.broker = broker;
        namespaces.factory = Divided.create(broker.cluster);
        return namespaces;
    }

    @Override
    public NamespaceBundleFactory getNamespaceBundleFactory() {
        return factory;
    }

    @Override
    public void onNamespaceBundleOwned(NamespaceBundle bundle) {
        broker.open(bundle);
    }

    @Override
    public void onNamespaceBundleUnload(NamespaceBundle bundle) {
        // The topics' closing has been noted.
    }

    @Override
    public void onNamespaceBundleSplit(NamespaceBundle bundle) {
        // Nobody listens.
    }

    @Override
    public NamespaceBundleSplitAlgorithm getNamespaceBundleSplitAlgorithmByName(String name) {
        return NamespaceBundleSplitAlgorithm.SPECIFIED_POSITIONS_DIVIDE_FORCE_ALGO;
    }

    @Override
    public CompletableFuture<Pair<NamespaceBundles, List<NamespaceBundle>>> getSplitBoundary(
            NamespaceBundle bundle, NamespaceBundleSplitAlgorithm algorithm, List<Long> boundaries) {
        return CompletableFuture.completedFuture(Pair.of(Divided.bundles(factory, true), List.of()));
    }

    @Override
    public CompletableFuture<Void> updateNamespaceBundles(NamespaceName namespace, NamespaceBundles bundles) {
        return broker.beginDividing();
    }

    @Override
    public CompletableFuture<Void> updateNamespaceBundlesForPolicies(NamespaceName namespace,
                                                                     NamespaceBundles bundles) {
        return CompletableFuture.completedFuture(null);
    }
}
