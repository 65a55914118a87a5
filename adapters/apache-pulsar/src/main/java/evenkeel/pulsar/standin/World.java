package evenkeel.pulsar.standin;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Private;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerWrapper;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.broker.namespace.OwnershipCache;
import org.apache.pulsar.broker.resources.PulsarResources;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.BundlesData;
import org.apache.pulsar.common.policies.data.LocalPolicies;
import org.apache.pulsar.common.policies.data.Policies;
import org.apache.pulsar.common.policies.data.ResourceQuota;
import org.apache.pulsar.common.util.ObjectMapperFactory;
import org.apache.pulsar.metadata.api.GetResult;
import org.apache.pulsar.metadata.api.coordination.LockManager;
import org.apache.pulsar.metadata.coordination.impl.CoordinationServiceImpl;

/**
 * One broker with Pulsar's real namespace service, bundle factory, ownership cache, lock manager, policy
 * resources and metadata stores, around which only the network, the threads and the topics are stand-ins.
 * One world serves many trials, one after the other: {@link #reset} makes it as new.
 */
public final class World {
    public static final String CLUSTER = "evenkeel";

    private static final String LOCAL_POLICIES = "/admin/local-policies/";
    private static final String GLOBAL_POLICIES = "/admin/policies/";
    private static final String QUOTAS = "/loadbalance/resource-quota/";

    public final Tasks tasks = new Tasks();
    /** The cluster's own metadata store. */
    public final MemoryStore store = MemoryStore.create(tasks);
    /** The configuration metadata store, which clusters share. */
    public final MemoryStore configurationStore = MemoryStore.create(tasks);
    public final ServiceConfiguration config = new ServiceConfiguration();
    public final StandInPulsar pulsar = StandInPulsar.create(config, tasks, store);
    public final PulsarResources resources = Resources.in(store, configurationStore, tasks);
    public final ListedTopics topics = new ListedTopics(store);
    public final StandInBrokerService brokerService = StandInBrokerService.create(pulsar);
    public final StandInLeader leader = StandInLeader.create();
    public final StandInModularManager modular = new StandInModularManager();
    public final ModularLoadManagerWrapper modularWrapper = new ModularLoadManagerWrapper(modular);
    public final NamespaceService namespaces;
    public final NamespaceBundleFactory factory;

    private final AsyncLoadingCache<NamespaceName, ?> bundlesCache;
    private final Collection<LockManager<?>> lockManagers;
    private final Field locksOfManager;
    private byte[] registration;

    public World() {
        config.setClusterName(CLUSTER);
        Private.set(PulsarResources.class, resources, "topicResources", topics);
        pulsar.use(resources);
        pulsar.use(brokerService);
        pulsar.use(leader);
        pulsar.use(modularWrapper);
        CoordinationServiceImpl coordination = new CoordinationServiceImpl(store);
        Private.<ExecutorService>get(
                CoordinationServiceImpl.class, coordination, "executor").shutdown();
        Private.set(CoordinationServiceImpl.class, coordination, "executor", tasks);
        pulsar.use(coordination);
        namespaces = new NamespaceService(pulsar);
        pulsar.use(namespaces);
        factory = namespaces.getNamespaceBundleFactory();
        bundlesCache = Private.get(NamespaceBundleFactory.class, factory, "bundlesCache");
        Map<Object, LockManager<?>> managers =
                Private.get(CoordinationServiceImpl.class, coordination, "lockManagers");
        lockManagers = managers.values();
        locksOfManager = Private.field(lockManagers.iterator().next().getClass(), "locks");
        store.findCaches();
        configurationStore.findCaches();
    }

    /** Forgets the last trial and creates this namespace with these boundaries in both policies. */
    public void reset(NamespaceName namespace, List<Long> boundaries) {
        BundlesData bundles = create(namespace, boundaries);
        tasks.settled(resources.getLocalPolicies()
                .createLocalPoliciesAsync(namespace, new LocalPolicies(bundles, null, null)));
    }

    /** Forgets the last trial and creates this namespace, which nobody has read yet: without local policies. */
    public BundlesData create(NamespaceName namespace, List<Long> boundaries) {
        clear();
        BundlesData bundles = Texts.bundles(boundaries);
        Policies policies = new Policies();
        policies.bundles = bundles;
        policies.replication_clusters = Set.of(CLUSTER);
        tasks.settled(resources.getNamespaceResources().createPoliciesAsync(namespace, policies));
        return bundles;
    }

    /** Registers this broker in the store, so that lookups find it. */
    public void registerBroker() {
        if (registration == null) {
            registration = bytes(StandInContext.registration(config.getLoadManagerClassName()));
        }
        store.put(LoadManager.LOADBALANCE_BROKERS_ROOT + "/" + StandInPulsar.BROKER_ID, registration,
                Optional.empty());
    }

    /** Empties the store, every cache, and the broker's ownership. */
    public void clear() {
        tasks.clear();
        store.clear();
        configurationStore.clear();
        Caches.clear(bundlesCache);
        OwnershipCache ownership = namespaces.getOwnershipCache();
        ownership.getLocallyAcquiredLocks().clear();
        ownership.invalidateLocalOwnerCache();
        for (LockManager<?> manager : lockManagers) {
            try {
                ((Map<?, ?>) locksOfManager.get(manager)).clear();
            } catch (IllegalAccessException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
        topics.set(List.of());
        brokerService.setTopicStats(Map.of());
        brokerService.unloaded().clear();
        leader.setLeading(true);
    }

    /** Empties every cache of what is stored; the store and the ownership stay. */
    public void forget() {
        store.forget();
        configurationStore.forget();
        Caches.clear(bundlesCache);
    }

    /** The bundle object of this range; it need not be one of the namespace's bundles. */
    public NamespaceBundle bundle(NamespaceName namespace, long lower, long upper) {
        return factory.getBundle(namespace, NamespaceBundleFactory.getRange(lower, upper));
    }

    /** The node of local policies in the store itself. */
    public GetResult storedLocal(NamespaceName namespace) {
        return tasks.settled(store.stored(localPath(namespace))).orElseThrow();
    }

    public LocalPolicies localPolicies(NamespaceName namespace) {
        return parse(storedLocal(namespace), LocalPolicies.class);
    }

    public Policies globalPolicies(NamespaceName namespace) {
        return parse(tasks.settled(configurationStore.stored(globalPath(namespace))).orElseThrow(), Policies.class);
    }

    /** Writes local policies without a condition, as another broker's write looks from here. */
    /** Stores what a namespace has. Since 4.2 none has a cluster in its name. */
    public void create(String namespace, LocalPolicies policies) {
        NamespaceName name;
        try {
            name = NamespaceName.get(namespace);
        } catch (IllegalArgumentException none) {
            throw new NotHere("no namespace of this Pulsar is called so: " + none.getMessage());
        }
        tasks.settled(resources.getLocalPolicies().createLocalPoliciesAsync(name, policies));
    }

    public void overwrite(NamespaceName namespace, LocalPolicies policies) {
        store.put(localPath(namespace), bytes(policies), Optional.empty());
    }

    /** Writes global policies without a condition, as another broker's write looks from here. */
    public void overwrite(NamespaceName namespace, Policies policies) {
        configurationStore.put(globalPath(namespace), bytes(policies), Optional.empty());
    }

    /** The numbers that a record of boundaries holds. */
    public static List<Long> boundaries(BundlesData bundles) {
        List<Long> result = new ArrayList<>(bundles.getBoundaries().size());
        for (String text : bundles.getBoundaries()) {
            // What Pulsar writes of a number below 0 are the digits of all its 64 bits.
            result.add(text.length() == 18 ? Long.parseUnsignedLong(text.substring(2), 16) : Long.decode(text));
        }
        return result;
    }

    /** Stores what an operator says that this bundle needs. */
    public void storeQuota(String bundle, ResourceQuota quota) {
        store.put(QUOTAS + bundle, bytes(quota), Optional.empty());
    }

    private static String localPath(NamespaceName namespace) {
        return LOCAL_POLICIES + namespace;
    }

    private static String globalPath(NamespaceName namespace) {
        return GLOBAL_POLICIES + namespace;
    }

    private static <T> T parse(GetResult node, Class<T> type) {
        try {
            return ObjectMapperFactory.getMapper().reader().forType(type).readValue(node.getValue());
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static byte[] bytes(Object record) {
        try {
            return ObjectMapperFactory.getMapper().writer().writeValueAsBytes(record);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
