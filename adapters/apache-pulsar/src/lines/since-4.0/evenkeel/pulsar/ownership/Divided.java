package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.Texts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceBundles;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.LocalPolicies;

/** The bundles of the trial's namespace, as they are divided now; making a bundle of a range is Pulsar's. */
final class Divided extends NamespaceBundleFactory {
    private static final List<Long> WHOLE = List.of(0L, 0x80000000L, 0xffffffffL);
    private static final List<Long> HALVES = List.of(0L, 0x40000000L, 0x80000000L, 0xffffffffL);

    private Cluster cluster;

    private Divided() {
        super(null, null);
    }

    static Divided create(Cluster cluster) {
        Divided factory = Private.allocate(Divided.class);
        factory.cluster = cluster;
        return factory;
    }

    static NamespaceBundles bundles(NamespaceBundleFactory factory, boolean divided) {
        LocalPolicies policies = new LocalPolicies(Texts.bundles(divided ? HALVES : WHOLE), null, null);
        return new NamespaceBundles(NamespaceName.get(Ranges.namespace()), factory,
                Optional.of(Pair.of(policies, 0L)));
    }

    @Override
    public CompletableFuture<NamespaceBundles> getBundlesAsync(NamespaceName namespace) {
        return CompletableFuture.completedFuture(bundles(this, cluster.divided));
    }

    @Override
    public void invalidateBundleCache(NamespaceName namespace) {
        // Nothing is kept.
    }
}
