package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Failure;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.Tasks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.lookup.LookupResult;
import org.apache.pulsar.broker.namespace.LookupOptions;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.broker.namespace.OwnedBundle;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.ServiceUnitId;
import org.apache.pulsar.metadata.api.MetadataCache;
import org.apache.pulsar.metadata.cache.impl.MetadataCacheImpl;
import org.apache.pulsar.metadata.coordination.impl.CoordinationServiceImpl;

/**
 * One broker process with Pulsar's own namespace service, ownership cache, lock manager, locks and metadata caches.
 * Around it only the store's client, the load manager, the election and the topics are stand-ins.
 */
final class LockBroker {
    private static final ServiceConfiguration CONFIGURATION = new ServiceConfiguration();
    private static final Method FIND = Private.method(
            NamespaceService.class, "findBrokerServiceUrl", NamespaceBundle.class, LookupOptions.class);

    final int number;
    final LockStore store;
    final LockTopics topics = LockTopics.create();
    final LockElection election;
    final NamespaceService namespaces;
    final Tasks retries = new Tasks();
    boolean stopping;

    final LockPulsar pulsar;
    private final Tasks tasks = new Tasks();
    private final Map<ServiceUnitId, Integer> preferred = new HashMap<>();
    private final Lookups finding;
    private final MetadataCacheImpl<?> registrations;

    LockBroker(int number, LockWorld world) {
        this.number = number;
        store = LockStore.create(world.nodes, retries, world::registration);
        election = LockElection.create(number);
        pulsar = LockPulsar.create(number, CONFIGURATION, tasks);
        pulsar.starting = world.starting;
        pulsar.store = store;
        pulsar.listeners = world.listeners;
        pulsar.topics = topics;
        pulsar.election = election;
        CoordinationServiceImpl coordination = new CoordinationServiceImpl(store);
        Private.<ExecutorService>get(CoordinationServiceImpl.class, coordination, "executor").shutdown();
        Private.set(CoordinationServiceImpl.class, coordination, "executor", retries);
        pulsar.coordination = coordination;
        pulsar.loadManager.set(LockLoad.create(world::available,
                bundle -> world.pick(preferred.getOrDefault(bundle, 0))));
        namespaces = new NamespaceService(pulsar);
        pulsar.namespaces = namespaces;
        store.tidyCaches();
        finding = new Lookups(namespaces);
        MetadataCache<?> cache = Private.get(NamespaceService.class, namespaces, "localBrokerDataCache");
        registrations = (MetadataCacheImpl<?>) cache;
    }

    /** Lets everything go on that needs nothing from outside. */
    void settle() {
        tasks.settle();
    }

    /** A lookup by Pulsar's own service; the load manager, if it is asked, picks the preferred broker. */
    CompletableFuture<Optional<LookupResult>> lookUp(NamespaceBundle bundle, boolean authoritative,
                                                     boolean readOnly, int wanted) throws Throwable {
        LookupOptions options = LookupOptions.builder().authoritative(authoritative).readOnly(readOnly).build();
        if (!authoritative && !readOnly && !finding.underWay(bundle, options)) {
            preferred.put(bundle, wanted);
        }
        return lookUp(bundle, options);
    }

    /** The same, as a client's request says. */
    CompletableFuture<Optional<LookupResult>> lookUp(NamespaceBundle bundle, LookupOptions options) throws Throwable {
        try {
            @SuppressWarnings("unchecked")
            CompletableFuture<Optional<LookupResult>> found =
                    (CompletableFuture<Optional<LookupResult>>) FIND.invoke(namespaces, bundle, options);
            return found;
        } catch (InvocationTargetException failed) {
            throw Failure.unwrap(failed);
        }
    }

    /** What is cached of the brokers' registrations is forgotten: it does not lag behind here. */
    void forgetRegistrations() {
        registrations.invalidateAll();
    }

    /** What this broker says of a bundle itself. */
    String standing(NamespaceBundle bundle) {
        CompletableFuture<OwnedBundle> owned = namespaces.getOwnershipCache().getOwnedBundlesAsync().get(bundle);
        if (owned == null) {
            return "none";
        }
        if (!owned.isDone()) {
            return "acquiring";
        }
        return owned.join().isActive() ? "serving" : "unloading";
    }
}
