package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.NoTelemetry;
import evenkeel.pulsar.standin.Tasks;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LeaderElectionService;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.metadata.api.coordination.CoordinationService;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;
import org.apache.pulsar.policies.data.loadbalancer.AdvertisedListener;

/** A broker process of several, never started: it only hands out the parts that it was given. */
final class LockPulsar extends PulsarService {
    int number;
    /** It has neither its name nor its addresses yet, and no election. */
    boolean starting;
    ServiceConfiguration configuration;
    Tasks tasks;
    LockStore store;
    CoordinationService coordination;
    NamespaceService namespaces;
    BrokerService topics;
    LeaderElectionService election;
    AtomicReference<LoadManager> loadManager;
    NoTelemetry telemetry;
    Map<String, AdvertisedListener> listeners;

    private LockPulsar() {
        super(new ServiceConfiguration());
    }

    static LockPulsar create(int number, ServiceConfiguration configuration, Tasks tasks) {
        LockPulsar pulsar = Private.allocate(LockPulsar.class);
        pulsar.number = number;
        pulsar.configuration = configuration;
        pulsar.tasks = tasks.queued();
        pulsar.loadManager = new AtomicReference<>();
        pulsar.telemetry = NoTelemetry.create();
        return pulsar;
    }

    static String id(int number) {
        return "broker-" + number + ":8080";
    }

    static String url(int number) {
        return "pulsar://broker-" + number + ":6650";
    }

    static String webUrl(int number) {
        return "http://broker-" + number + ":8080";
    }

    @Override
    public ServiceConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public ServiceConfiguration getConfig() {
        return configuration;
    }

    @Override
    public ScheduledExecutorService getExecutor() {
        return tasks;
    }

    @Override
    public MetadataStoreExtended getLocalMetadataStore() {
        return store;
    }

    @Override
    public CoordinationService getCoordinationService() {
        return coordination;
    }

    @Override
    public NamespaceService getNamespaceService() {
        return namespaces;
    }

    @Override
    public BrokerService getBrokerService() {
        return topics;
    }

    @Override
    public LeaderElectionService getLeaderElectionService() {
        return starting ? null : election;
    }

    @Override
    public AtomicReference<LoadManager> getLoadManager() {
        return loadManager;
    }

    // Overrides a method of Pulsar's since 3.3.
    public NoTelemetry getOpenTelemetry() {
        return telemetry;
    }

    // Overrides a method of Pulsar's since 5.0.1: its own listener of the session is never registered here.
    public boolean isMetadataSessionLost() {
        return store.expired();
    }

    @Override
    public String getBrokerId() {
        return starting ? super.getBrokerId() : id(number);
    }

    @Override
    public String getAdvertisedAddress() {
        return "broker-" + number;
    }

    @Override
    public String getBrokerServiceUrl() {
        return starting ? null : url(number);
    }

    @Override
    public String getBrokerServiceUrlTls() {
        return null;
    }

    @Override
    public String getWebServiceAddress() {
        return starting ? null : webUrl(number);
    }

    @Override
    public String getWebServiceAddressTls() {
        return null;
    }

    @Override
    public Map<String, AdvertisedListener> getAdvertisedListeners() {
        return listeners;
    }
}
