package evenkeel.pulsar.standin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.loadbalance.ModularLoadManager;
import org.apache.pulsar.common.naming.ServiceUnitId;
import org.apache.pulsar.common.stats.Metrics;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;

/** A load manager of one broker: it places everything here, and knows the bundle data it was told. */
public final class StandInModularManager implements ModularLoadManager {
    private Map<String, BundleData> bundleData = Map.of();

    public void setBundleData(Map<String, BundleData> data) {
        bundleData = data;
    }

    @Override
    public BundleData getBundleDataOrDefault(String bundle) {
        BundleData known = bundleData.get(bundle);
        return known != null ? known : new BundleData();
    }

    @Override
    public Optional<String> selectBrokerForAssignment(ServiceUnitId serviceUnit) {
        return Optional.of(StandInPulsar.BROKER_ID);
    }

    @Override
    public String setNamespaceBundleAffinity(String bundle, String broker) {
        return null;
    }

    @Override
    public Set<String> getAvailableBrokers() {
        return Set.of(StandInPulsar.BROKER_ID);
    }

    @Override
    public CompletableFuture<Set<String>> getAvailableBrokersAsync() {
        return CompletableFuture.completedFuture(getAvailableBrokers());
    }

    @Override
    public void initialize(PulsarService pulsar) {
        // Nothing to set up.
    }

    @Override
    public void start() {
        // Nothing to start.
    }

    @Override
    public void stop() {
        // Nothing to stop.
    }

    @Override
    public void disableBroker() {
        throw notAsked();
    }

    @Override
    public void doLoadShedding() {
        throw notAsked();
    }

    @Override
    public void checkNamespaceBundleSplit() {
        throw notAsked();
    }

    @Override
    public LocalBrokerData updateLocalBrokerData() {
        throw notAsked();
    }

    @Override
    public void writeBrokerDataOnZooKeeper() {
        throw notAsked();
    }

    @Override
    public void writeBundleDataOnZooKeeper() {
        throw notAsked();
    }

    @Override
    public LocalBrokerData getBrokerLocalData(String broker) {
        throw notAsked();
    }

    @Override
    public List<Metrics> getLoadBalancingMetrics() {
        throw notAsked();
    }

    private static UnsupportedOperationException notAsked() {
        return new UnsupportedOperationException("no question needs this of the stand-in load manager");
    }
}
