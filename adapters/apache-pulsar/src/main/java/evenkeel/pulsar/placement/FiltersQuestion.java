package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.Registration;
import evenkeel.pulsar.standin.Told;
import evenkeel.pulsar.standin.World;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.loadbalance.extensions.BrokerRegistry;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContextImpl;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateChannel;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;
import org.apache.pulsar.broker.loadbalance.extensions.filter.AntiAffinityGroupPolicyFilter;
import org.apache.pulsar.broker.loadbalance.extensions.filter.BrokerFilter;
import org.apache.pulsar.broker.loadbalance.extensions.filter.BrokerIsolationPoliciesFilter;
import org.apache.pulsar.broker.loadbalance.extensions.policies.AntiAffinityGroupPolicyHelper;
import org.apache.pulsar.broker.loadbalance.extensions.policies.IsolationPoliciesHelper;
import org.apache.pulsar.broker.loadbalance.impl.SimpleResourceAllocationPolicies;
import org.apache.pulsar.broker.namespace.LookupOptions;

/**
 * {@code placement.filters}: {@code selectAsync} of a real {@link ExtensibleLoadManagerImpl} with the filters that
 * it makes itself and the two that its start adds, in the same order. Registry, load data and ownership are the
 * trial's; so is the strategy.
 */
public final class FiltersQuestion implements Question {
    private final World world;
    private final NotingStrategy strategy = new NotingStrategy();
    private final ToldLoad load = new ToldLoad();
    private final ExtensibleLoadManagerImpl manager = new ExtensibleLoadManagerImpl();
    private final Map<String, BrokerLookupData> registered = new LinkedHashMap<>();
    private final Map<String, ServiceUnitStateData> owned = new LinkedHashMap<>();
    private final Map<String, String> domains;

    public FiltersQuestion(World world) {
        this.world = world;
        Private.set(ExtensibleLoadManagerImpl.class, manager, "conf", world.config);
        Private.set(ExtensibleLoadManagerImpl.class, manager, "brokerSelectionStrategy", strategy);
        Private.set(ExtensibleLoadManagerImpl.class, manager, "brokerRegistry",
                Told.only(BrokerRegistry.class, Map.of("getAvailableBrokerLookupDataAsync",
                        arguments -> CompletableFuture.completedFuture(registered))));
        Private.set(ExtensibleLoadManagerImpl.class, manager, "context", LoadManagerContextImpl.builder()
                .configuration(world.config).brokerLoadDataStore(load.store()).build());
        AntiAffinityGroupPolicyHelper groups = new AntiAffinityGroupPolicyHelper(world.pulsar,
                Told.only(ServiceUnitStateChannel.class, Map.of(
                        "getOwnershipEntrySet", arguments -> owned.entrySet())));
        domains = Private.get(AntiAffinityGroupPolicyHelper.class, groups, "brokerToFailureDomainMap");
        List<BrokerFilter> filters =
                Private.get(ExtensibleLoadManagerImpl.class, manager, "brokerFilterPipeline");
        filters.add(new AntiAffinityGroupPolicyFilter(groups));
        filters.add(new BrokerIsolationPoliciesFilter(
                new IsolationPoliciesHelper(new SimpleResourceAllocationPolicies(world.pulsar))));
        world.store.findCaches();
        world.configurationStore.findCaches();
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        forget();
        Cluster.configure(world.config, trial);
        Cluster.store(world, trial);
        domains.putAll(Cluster.domains(trial));
        for (JsonNode broker : Json.list(trial, "brokers")) {
            tell(broker);
        }
        strategy.prefer(Json.texts(trial, "prefers"), List.of());
        Optional<String> chosen = manager.selectAsync(Cluster.bundle(world, trial),
                new HashSet<>(Json.texts(trial, "excluded")),
                LookupOptions.builder().readOnly(false).build()).get();
        ObjectNode answer = Json.object();
        answer.set("offers", strategy.offers());
        return answer.put("chosen", chosen.orElse(null));
    }

    private void forget() {
        world.clear();
        load.clear();
        registered.clear();
        owned.clear();
        domains.clear();
    }

    private void tell(JsonNode broker) {
        String name = Json.text(broker, "name");
        JsonNode told = Json.field(broker, "registration");
        registered.put(name, Registration.of(name, name,
                Json.flag(told, "persistent"), Json.flag(told, "non_persistent"),
                Cluster.textOrNull(told, "manager"), Cluster.textOrNull(told, "version")));
        if (!Json.field(told, "topics").isNull()) {
            load.tell(name, 0, Json.integer(told, "topics"));
        }
        for (String bundle : Json.texts(broker, "bundles")) {
            owned.put(bundle, new ServiceUnitStateData(ServiceUnitState.Owned, name, 1));
        }
    }
}
