package evenkeel.pulsar.plugin;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.shedding.ListedLoads;
import evenkeel.pulsar.shedding.Unloads;
import evenkeel.pulsar.standin.Registration;
import evenkeel.pulsar.standin.Told;
import evenkeel.pulsar.standin.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.broker.loadbalance.extensions.BrokerRegistry;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContextImpl;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateChannel;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;
import org.apache.pulsar.broker.loadbalance.extensions.data.TopBundlesLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.models.TopKBundles;
import org.apache.pulsar.broker.loadbalance.extensions.models.Unload;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadDecision;
import org.apache.pulsar.broker.loadbalance.extensions.policies.AntiAffinityGroupPolicyHelper;
import org.apache.pulsar.broker.loadbalance.extensions.policies.IsolationPoliciesHelper;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.NamespaceUnloadStrategy;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.UnloadScheduler;
import org.apache.pulsar.broker.loadbalance.extensions.strategy.BrokerSelectionStrategy;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * {@code execute} of a real {@link UnloadScheduler} around the plug-in, which finds in {@code initialize} an
 * {@link ExtensibleLoadManagerImpl} with what a round knows. What it publishes is what moves.
 *
 * <p>Brokers report their heaviest bundles, and what they have now, without the running averages of earlier reports. No
 * namespace has a policy and no filter keeps a broker out: where a bundle goes that was sent nowhere, the selection
 * alone decides.
 */
final class ExtensiblePlugin implements Manager {
    private final World world = new World();
    private final Plugins plugins;
    private final String sheds;
    private final String places;
    private final List<Move> unloads = new ArrayList<>();
    private final ListedLoads<BrokerLoadData> loads = new ListedLoads<>();
    private final ListedLoads<TopBundlesLoadData> tops = new ListedLoads<>();
    private final Map<String, BrokerLookupData> registered = new HashMap<>();
    private final Map<String, String> owners = new HashMap<>();
    private final UnloadCounter counter = new UnloadCounter();
    private final ServiceUnitStateChannel channel = Told.only(ServiceUnitStateChannel.class, Map.of(
            "isChannelOwnerAsync", arguments -> told(true),
            "isOwner", arguments -> arguments[1].equals(owners.get(arguments[0])),
            "publishUnloadEventAsync", arguments -> published((Unload) arguments[0])));
    private final BrokerRegistry registry = Told.only(BrokerRegistry.class, Map.of(
            "getAvailableBrokersAsync", arguments -> told(new ArrayList<>(registered.keySet())),
            "getAvailableBrokerLookupDataAsync", arguments -> told(new HashMap<>(registered)),
            "lookupAsync", arguments -> told(Optional.ofNullable(registered.get(arguments[0])))));
    private final LoadManagerContext context = LoadManagerContextImpl.builder().configuration(world.config)
            .brokerRegistry(registry).brokerLoadDataStore(loads).topBundleLoadDataStore(tops).build();
    private Watched<NamespaceUnloadStrategy> shedder;
    private Watched<BrokerSelectionStrategy> selection;
    private UnloadScheduler scheduler;
    private Remembered bundles;
    private Remembered brokers;

    ExtensiblePlugin(Plugins plugins, Chosen chosen) {
        this.plugins = plugins;
        sheds = chosen.sheds();
        places = chosen.places();
        chosen.configure(world.config);
        world.config.setLoadManagerClassName(ExtensibleLoadManagerImpl.class.getName());
        world.pulsar.use(new ExtensibleLoadManagerWrapper(manager()));
    }

    /** The manager that a strategy may ask for the channel, the policies and the filters. */
    private ExtensibleLoadManagerImpl manager() {
        ExtensibleLoadManagerImpl manager = Private.allocate(ExtensibleLoadManagerImpl.class);
        Map<String, Object> parts = Map.of("conf", world.config, "brokerRegistry", registry, "context", context,
                "serviceUnitStateChannel", channel, "brokerLoadDataStore", loads, "topBundlesLoadDataStore", tops,
                "unloadCounter", counter, "brokerFilterPipeline", new ArrayList<>(),
                "isolationPoliciesHelper", new IsolationPoliciesHelper(null) {
                    @Override
                    public boolean hasIsolationPolicy(NamespaceName namespace) {
                        return false;
                    }
                },
                "antiAffinityGroupPolicyHelper", new AntiAffinityGroupPolicyHelper(null, null) {
                    @Override
                    public boolean hasAntiAffinityGroupPolicy(String bundle) {
                        return false;
                    }
                });
        parts.forEach((name, part) -> Private.set(ExtensibleLoadManagerImpl.class, manager, name, part));
        return manager;
    }

    @Override
    public void open() {
        plugins.reload();
        shedder = new Watched<>(NamespaceUnloadStrategy.class, plugins.create(sheds, NamespaceUnloadStrategy.class));
        selection = new Watched<>(BrokerSelectionStrategy.class, plugins.create(places, BrokerSelectionStrategy.class));
        run(() -> shedder.strategy().initialize(world.pulsar));
        scheduler = new UnloadScheduler(world.pulsar, null, new AtOnce(), context, channel, shedder.strategy(), counter,
                new AtomicReference<>(new ArrayList<>())) {
        };
        bundles = new Remembered(Private.get(UnloadScheduler.class, scheduler, "recentlyUnloadedBundles"));
        brokers = new Remembered(Private.get(UnloadScheduler.class, scheduler, "recentlyUnloadedBrokers"));
    }

    @Override
    public List<Move> rebalance(Turn turn) {
        receive(turn);
        bundles.putBack(turn.round());
        brokers.putBack(turn.round());
        try {
            run(() -> scheduler.execute());
        } finally {
            bundles.note(turn.round());
            brokers.note(turn.round());
        }
        return List.copyOf(unloads);
    }

    @Override
    public Optional<String> place(Turn turn) {
        receive(turn);
        String asked = turn.asked();
        NamespaceBundle bundle =
                world.bundle(NamespaceName.get(asked.substring(0, asked.lastIndexOf('/'))), 0, 0xffffffffL);
        List<Optional<String>> chosen = new ArrayList<>();
        run(() -> chosen.add(selection.strategy().select(turn.brokers(), bundle, context)));
        return chosen.get(0);
    }

    private void receive(Turn turn) {
        world.config.setLoadBalancerSheddingGracePeriodMinutes(turn.grace());
        loads.clear();
        tops.clear();
        registered.clear();
        owners.clear();
        for (String broker : turn.brokers()) {
            registered.put(broker, Registration.of(broker, broker, true, true,
                    world.config.getLoadManagerClassName(), "evenkeel"));
            turn.served(broker).forEach(bundle -> owners.put(bundle, broker));
            Map<String, NamespaceBundleStats> reported = turn.reported(broker);
            BrokerLoadData load = new BrokerLoadData();
            double in = reported.values().stream().mapToDouble(stats -> stats.msgThroughputIn).sum();
            double out = reported.values().stream().mapToDouble(stats -> stats.msgThroughputOut).sum();
            double rateIn = reported.values().stream().mapToDouble(stats -> stats.msgRateIn).sum();
            double rateOut = reported.values().stream().mapToDouble(stats -> stats.msgRateOut).sum();
            load.update(turn.usage(broker), in, out, rateIn, rateOut, turn.served(broker).size(), reported.size(),
                    world.config);
            Private.setWhole(BrokerLoadData.class, load, "updatedAt", turn.reportedAt());
            loads.put(broker, load);
            TopKBundles top = new TopKBundles(world.pulsar);
            top.update(reported, world.config.getLoadBalancerMaxNumberOfBundlesInBundleLoadReport());
            tops.put(broker, top.getLoadData());
        }
    }

    private CompletableFuture<Void> published(Unload unload) {
        unloads.add(new Move(unload.serviceUnit(), unload.sourceBroker(), unload.destBroker()));
        return told(null);
    }

    private static <T> CompletableFuture<T> told(T value) {
        return CompletableFuture.completedFuture(value);
    }

    private void run(Runnable step) {
        unloads.clear();
        Watched.run(step::run, shedder, selection);
    }

    /** Unloads are done when they are published. */
    private static final class AtOnce extends Unloads {
        @Override
        public CompletableFuture<Void> waitAsync(CompletableFuture<Void> published, String bundle,
                                                 UnloadDecision decision, long timeout, TimeUnit unit) {
            return published;
        }
    }
}
