package evenkeel.pulsar.plugin;

import com.google.common.collect.Multimap;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.balancing.Shedder;
import evenkeel.pulsar.load.ServedRanges;
import evenkeel.pulsar.standin.Told;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.broker.loadbalance.impl.LeastLongTermMessageRate;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.client.admin.Namespaces;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.policies.data.loadbalancer.BrokerData;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * A real {@link ModularLoadManagerImpl}, initialised by its own code, which takes the strategies by name as in a
 * broker. Reports are put where it keeps them. What it unloads is what it asks the admin client for.
 *
 * <p>Bundles have no history: their averages are those of the last report. A strategy that both sheds and places is one
 * object, as Pulsar wants it; for any other shedder {@link LeastLongTermMessageRate} places, unless told otherwise.
 */
final class ModularPlugin implements Manager {
    private final World world = new World();
    private final Plugins plugins;
    private final String sheds;
    private final String places;
    private final List<Move> unloads = new ArrayList<>();
    private final ModularLoadManagerImpl manager;
    private final LoadData loadData;
    private final ServedRanges served;
    private final Method noteBrokers = Private.method(ModularLoadManagerImpl.class, "cleanupDeadBrokersData");
    private final Method noteBundles = Private.method(ModularLoadManagerImpl.class, "updateBundleData");
    private final Method forgetPlaced =
            Private.method(ModularLoadManagerImpl.class, "reapDeadBrokerPreallocations", List.class);
    private Set<String> available = Set.of();
    private Watched<LoadSheddingStrategy> shedder;
    private Watched<ModularLoadManagerStrategy> placement;
    private Remembered unloaded;

    ModularPlugin(Plugins plugins, Chosen chosen) {
        this.plugins = plugins;
        sheds = chosen.sheds();
        boolean both = plugins.create(sheds, LoadSheddingStrategy.class) instanceof ModularLoadManagerStrategy;
        String other = both ? sheds : LeastLongTermMessageRate.class.getName();
        places = chosen.places() == null ? other : chosen.places();
        plugins.create(places, ModularLoadManagerStrategy.class);
        chosen.configure(world.config);
        world.config.setLoadBalancerAutoBundleSplitEnabled(false);
        world.config.setLoadBalancerLoadSheddingStrategy(sheds);
        world.config.setLoadBalancerLoadPlacementStrategy(places);
        Namespaces namespaces = Told.only(Namespaces.class, Map.of("unloadNamespaceBundle", this::unload));
        world.pulsar.use(Told.only(PulsarAdmin.class, Map.of("namespaces", arguments -> namespaces)));
        manager = initialised();
        loadData = Private.get(ModularLoadManagerImpl.class, manager, "loadData");
        served = new ServedRanges(manager);
    }

    private ModularLoadManagerImpl initialised() {
        ModularLoadManagerImpl made = new ModularLoadManagerImpl() {
            @Override
            public Set<String> getAvailableBrokers() {
                return available;
            }
        };
        // What it would do on its own thread when a broker appears; reports are the trial's.
        Private.<ExecutorService>get(ModularLoadManagerImpl.class, made, "executors").shutdown();
        try {
            made.initialize(world.pulsar);
        } catch (RuntimeException refused) {
            throw new Unusable("Pulsar does not take " + sheds + " with " + places + ": " + refused.getMessage() + ".");
        }
        return made;
    }

    @Override
    public void open() {
        plugins.reload();
        LoadSheddingStrategy newShedder = plugins.create(sheds, LoadSheddingStrategy.class);
        shedder = new Watched<>(LoadSheddingStrategy.class, newShedder);
        placement = new Watched<>(ModularLoadManagerStrategy.class, places.equals(sheds)
                ? (ModularLoadManagerStrategy) newShedder : plugins.create(places, ModularLoadManagerStrategy.class));
        Shedder.set(manager, shedder.strategy());
        Private.set(ModularLoadManagerImpl.class, manager, "placementStrategy", placement.strategy());
        loadData.getBrokerData().clear();
        loadData.getBundleData().clear();
        served.clear();
        Private.<Set<?>>get(ModularLoadManagerImpl.class, manager, "knownBrokers").clear();
        Private.<Map<?, ?>>get(ModularLoadManagerImpl.class, manager, "preallocatedBundleToBroker").clear();
        unloaded = new Remembered(loadData.getRecentlyUnloadedBundles());
    }

    @Override
    public List<Move> rebalance(Turn turn) {
        receive(turn);
        unloaded.putBack(turn.round());
        try {
            run(() -> manager.doLoadShedding());
        } finally {
            unloaded.note(turn.round());
        }
        return named();
    }

    @Override
    public Optional<String> place(Turn turn) {
        receive(turn);
        List<Optional<String>> chosen = new ArrayList<>();
        String bundle = turn.asked();
        NamespaceName namespace = NamespaceName.get(bundle.substring(0, bundle.lastIndexOf('/')));
        run(() -> chosen.add(manager.selectBrokerForAssignment(world.bundle(namespace, 0, 0xffffffffL))));
        return chosen.get(0);
    }

    /** Puts the reports of a turn where the manager keeps them, and lets it note who is there and who serves what. */
    private void receive(Turn turn) {
        world.config.setLoadBalancerSheddingGracePeriodMinutes(turn.grace());
        available = turn.brokers();
        Map<String, BrokerData> brokers = loadData.getBrokerData();
        brokers.keySet().retainAll(available);
        for (String broker : available) {
            LocalBrokerData report = new LocalBrokerData();
            report.update(turn.usage(broker), turn.reported(broker));
            report.getBundles().addAll(turn.served(broker));
            report.setLastUpdate(turn.reportedAt());
            if (brokers.containsKey(broker)) {
                brokers.get(broker).setLocalData(report);
            } else {
                brokers.put(broker, new BrokerData(report));
            }
        }
        Map<String, BundleData> bundles = loadData.getBundleData();
        bundles.clear();
        available.forEach(broker -> turn.reported(broker).keySet()
                .forEach(bundle -> bundles.put(bundle, new BundleData(10, 1000))));
        run(() -> {
            noteBrokers.invoke(manager);
            noteBundles.invoke(manager);
            forgetPlaced.invoke(manager, List.copyOf(available));
        });
        turn.statistics().forEach((bundle, stats) -> bundles.computeIfAbsent(bundle, any -> averages(stats)));
    }

    /** What the leader has stored of a bundle that nobody serves. */
    private static BundleData averages(NamespaceBundleStats stats) {
        BundleData data = new BundleData(10, 1000);
        data.update(stats);
        return data;
    }

    private Object unload(Object... arguments) {
        String bundle = arguments[0] + "/" + arguments[1];
        unloads.add(new Move(bundle, "", Optional.ofNullable(arguments.length > 2 ? (String) arguments[2] : null)));
        return null;
    }

    /** The unloads, each with the broker under which the shedder listed it: the manager goes through them in order. */
    private List<Move> named() {
        List<Move> moves = new ArrayList<>();
        if (unloads.isEmpty()) {
            return moves;
        }
        Iterator<Move> wanted = new ArrayList<>(unloads).iterator();
        Move next = wanted.next();
        for (Map.Entry<String, String> listed : ((Multimap<String, String>) shedder.returned()).entries()) {
            if (next != null && listed.getValue().equals(next.bundle())) {
                moves.add(new Move(next.bundle(), listed.getKey(), next.to()));
                next = wanted.hasNext() ? wanted.next() : null;
            }
        }
        return moves;
    }

    private void run(Watched.Step step) {
        unloads.clear();
        Watched.run(step, shedder, placement);
    }
}
