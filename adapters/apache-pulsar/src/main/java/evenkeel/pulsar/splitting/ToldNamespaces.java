package evenkeel.pulsar.splitting;

import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Private;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceBundleSplitAlgorithm;
import org.apache.pulsar.common.naming.NamespaceName;

/** A namespace service that says what the trial says; what it does not override is Pulsar's. */
final class ToldNamespaces extends NamespaceService {
    private NamespaceBundleFactory factory;
    private List<String> topics;
    private Map<String, Integer> counts;
    private Map<String, List<Long>> positions;

    private ToldNamespaces() {
        super(null);
    }

    static ToldNamespaces create(PulsarService pulsar, NamespaceBundleFactory factory) {
        ToldNamespaces told = Private.allocate(ToldNamespaces.class);
        Private.set(NamespaceService.class, told, "pulsar", pulsar);
        told.factory = factory;
        told.topics = List.of();
        told.counts = Map.of();
        told.positions = Map.of();
        return told;
    }

    void setTopics(List<String> given) {
        topics = given;
    }

    void setCounts(Map<String, Integer> given) {
        counts = given;
    }

    /** What the default algorithm yields for each bundle, by full name; absent: nothing. */
    void setPositions(Map<String, List<Long>> given) {
        positions = given;
    }

    @Override
    public NamespaceBundleFactory getNamespaceBundleFactory() {
        return factory;
    }

    @Override
    public CompletableFuture<List<String>> getOwnedTopicListForNamespaceBundle(NamespaceBundle bundle) {
        return CompletableFuture.completedFuture(new ArrayList<>(topics));
    }

    @Override
    public int getBundleCount(NamespaceName namespace) {
        Integer count = counts.get(namespace.toString());
        if (count == null) {
            throw new BadTrial("no count of the bundles of " + namespace);
        }
        return count;
    }

    @Override
    public CompletableFuture<List<Long>> getSplitBoundary(NamespaceBundle bundle, List<Long> boundaries,
                                                          NamespaceBundleSplitAlgorithm algorithm) {
        return CompletableFuture.completedFuture(positions.get(bundle.toString()));
    }

    @Override
    public Set<NamespaceBundle> getOwnedServiceUnits() {
        return Set.of();
    }
}
