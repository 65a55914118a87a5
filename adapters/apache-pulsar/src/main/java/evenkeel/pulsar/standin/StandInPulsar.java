package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.common.util.OrderedExecutor;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LeaderElectionService;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.broker.resources.PulsarResources;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.metadata.api.coordination.CoordinationService;
import org.apache.pulsar.metadata.api.extended.MetadataStoreExtended;
import org.apache.pulsar.policies.data.loadbalancer.AdvertisedListener;

/** A broker that was never started: it only hands out the parts that it was given. */
public final class StandInPulsar extends PulsarService {
    public static final String BROKER_ID = "broker-1:8080";

    private ServiceConfiguration configuration;
    private ScheduledExecutorService executor;
    private Clock clock;
    private OrderedExecutor orderedExecutor;
    private MetadataStoreExtended store;
    private PulsarResources resources;
    private NamespaceService namespaceService;
    private BrokerService brokerService;
    private AtomicReference<LoadManager> loadManager;
    private LeaderElectionService leaderElectionService;
    private CoordinationService coordinationService;
    private NoTelemetry openTelemetry;
    private PulsarAdmin admin;

    private StandInPulsar() {
        super(new ServiceConfiguration());
    }

    /** A stand-in with everything that does not itself need a broker. */
    public static StandInPulsar create(ServiceConfiguration configuration, Tasks tasks, MetadataStoreExtended store) {
        StandInPulsar pulsar = Private.allocate(StandInPulsar.class);
        pulsar.configuration = configuration;
        pulsar.executor = tasks.queued();
        pulsar.orderedExecutor = InlineOrderedExecutor.create();
        pulsar.store = store;
        pulsar.loadManager = new AtomicReference<>();
        pulsar.openTelemetry = NoTelemetry.create();
        return pulsar;
    }

    public void use(PulsarResources given) {
        resources = given;
    }

    public void use(NamespaceService given) {
        namespaceService = given;
    }

    public void use(BrokerService given) {
        brokerService = given;
    }

    public void use(LeaderElectionService given) {
        leaderElectionService = given;
    }

    public void use(CoordinationService given) {
        coordinationService = given;
    }

    public void use(LoadManager given) {
        loadManager.set(given);
    }

    /** Periodic work runs on this executor, and limits are measured with this clock. */
    public void use(ScheduledExecutorService givenExecutor, Clock givenClock) {
        executor = givenExecutor;
        clock = givenClock;
    }

    public void use(PulsarAdmin given) {
        admin = given;
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
        return executor;
    }

    // Overrides a method of Pulsar's since 3.3.
    public Clock getMonotonicClock() {
        return clock;
    }

    @Override
    public ScheduledExecutorService getLoadManagerExecutor() {
        return executor;
    }

    @Override
    public OrderedExecutor getOrderedExecutor() {
        return orderedExecutor;
    }

    @Override
    public MetadataStoreExtended getLocalMetadataStore() {
        return store;
    }

    @Override
    public PulsarResources getPulsarResources() {
        return resources;
    }

    @Override
    public NamespaceService getNamespaceService() {
        return namespaceService;
    }

    @Override
    public BrokerService getBrokerService() {
        return brokerService;
    }

    @Override
    public AtomicReference<LoadManager> getLoadManager() {
        return loadManager;
    }

    @Override
    public LeaderElectionService getLeaderElectionService() {
        return leaderElectionService;
    }

    @Override
    public CoordinationService getCoordinationService() {
        return coordinationService;
    }

    // Overrides a method of Pulsar's since 3.3.
    public NoTelemetry getOpenTelemetry() {
        return openTelemetry;
    }

    @Override
    public PulsarAdmin getAdminClient() {
        return admin;
    }

    @Override
    public String getBrokerId() {
        return BROKER_ID;
    }

    @Override
    public String getAdvertisedAddress() {
        return "broker-1";
    }

    @Override
    public String getBrokerServiceUrl() {
        return "pulsar://broker-1:6650";
    }

    @Override
    public String getWebServiceAddress() {
        return "http://broker-1:8080";
    }

    @Override
    public Map<String, AdvertisedListener> getAdvertisedListeners() {
        return Map.of();
    }

    @Override
    public void runWhenReadyForIncomingRequests(Runnable runnable) {
        // There are no earlier requests to tell a late listener about.
    }
}
