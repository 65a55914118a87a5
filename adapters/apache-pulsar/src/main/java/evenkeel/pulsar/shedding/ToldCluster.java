package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.Registration;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.BrokerRegistry;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateChannel;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;
import org.apache.pulsar.broker.loadbalance.extensions.data.TopBundlesLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.filter.BrokerFilter;
import org.apache.pulsar.broker.loadbalance.extensions.policies.AntiAffinityGroupPolicyHelper;
import org.apache.pulsar.broker.loadbalance.extensions.policies.IsolationPoliciesHelper;
import org.apache.pulsar.broker.loadbalance.extensions.store.LoadDataStore;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.naming.ServiceUnitId;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;

/**
 * The cluster of one round, as the trial tells it: registered brokers, reports, top bundles, owners, policies, and
 * what the filters leave.
 */
final class ToldCluster implements LoadManagerContext, BrokerFilter {
    private static final Field LOAD = Private.field(BrokerLoadData.class, "weightedMaxEMA");
    private static final Field THROUGHPUT_IN = Private.field(BrokerLoadData.class, "msgThroughputIn");
    private static final Field THROUGHPUT_OUT = Private.field(BrokerLoadData.class, "msgThroughputOut");
    private static final Field THROUGHPUT_AVERAGE = Private.field(BrokerLoadData.class, "msgThroughputEMA");
    private static final Field UPDATED_AT = Private.field(BrokerLoadData.class, "updatedAt");
    private static final BrokerLookupData REGISTERED = Registration.of(
            "broker:8080", "broker:6650", true, true, "evenkeel", "evenkeel");

    private final ServiceConfiguration config;
    private final ListedLoads<BrokerLoadData> loads = new ListedLoads<>();
    private final ListedLoads<TopBundlesLoadData> tops = new ListedLoads<>();
    private final Map<String, String> owners = new HashMap<>();
    private final Map<String, JsonNode> bundles = new HashMap<>();
    private final Set<String> isolated = new HashSet<>();
    private final Set<String> antiAffine = new HashSet<>();
    private CompletableFuture<Map<String, BrokerLookupData>> registered;

    private final BrokerRegistry registry = (BrokerRegistry) Proxy.newProxyInstance(
            BrokerRegistry.class.getClassLoader(), new Class<?>[] {BrokerRegistry.class},
            (self, method, arguments) -> {
                if (method.getName().equals("getAvailableBrokerLookupDataAsync")) {
                    return registered;
                }
                throw new UnsupportedOperationException("the stand-in registry has no " + method.getName());
            });

    /** Says who owns a bundle. */
    final ServiceUnitStateChannel channel = (ServiceUnitStateChannel) Proxy.newProxyInstance(
            ServiceUnitStateChannel.class.getClassLoader(), new Class<?>[] {ServiceUnitStateChannel.class},
            (self, method, arguments) -> {
                if (method.getName().equals("isOwner") && arguments.length == 2) {
                    return arguments[1].equals(owners.get(arguments[0]));
                }
                throw new UnsupportedOperationException("the stand-in channel has no " + method.getName());
            });

    /** Says which namespaces have isolation policies. */
    final IsolationPoliciesHelper isolation = new IsolationPoliciesHelper(null) {
        @Override
        public boolean hasIsolationPolicy(NamespaceName namespace) {
            return isolated.contains(namespace.toString());
        }
    };

    /** Says which bundles' namespaces are in an anti-affinity group. */
    final AntiAffinityGroupPolicyHelper antiAffinity = new AntiAffinityGroupPolicyHelper(null, null) {
        @Override
        public boolean hasAntiAffinityGroupPolicy(String bundle) {
            return antiAffine.contains(NamespaceBundle.getBundleNamespace(bundle));
        }
    };

    ToldCluster(ServiceConfiguration config) {
        this.config = config;
    }

    /** Another round; its times are moved so that the round is at {@code now} of the wall clock. */
    void tell(JsonNode view, long now) {
        long shift = now - Json.integer(view, "now");
        loads.clear();
        tops.clear();
        owners.clear();
        bundles.clear();
        for (JsonNode report : Json.list(view, "reports")) {
            String broker = Json.text(report, "broker");
            loads.put(broker, load(report, shift));
            if (!Json.field(report, "top").isNull()) {
                tops.put(broker, top(broker, Json.list(report, "top")));
            }
        }
        isolated.clear();
        isolated.addAll(Json.texts(view, "isolated"));
        antiAffine.clear();
        antiAffine.addAll(Json.texts(view, "anti_affine"));
        if (Json.field(view, "registered").isNull()) {
            registered = CompletableFuture.failedFuture(new IllegalStateException("the registry does not answer"));
            return;
        }
        Map<String, BrokerLookupData> there = new HashMap<>();
        Json.texts(view, "registered").forEach(broker -> there.put(broker, REGISTERED));
        registered = CompletableFuture.completedFuture(there);
    }

    /** When the reports were first read; 0 if they were not. */
    long readAt() {
        return loads.readAt();
    }

    private static BrokerLoadData load(JsonNode report, long shift) {
        BrokerLoadData load = new BrokerLoadData();
        try {
            LOAD.setDouble(load, Json.number(report, "load"));
            THROUGHPUT_IN.setDouble(load, Json.number(report, "throughput_in"));
            THROUGHPUT_OUT.setDouble(load, Json.number(report, "throughput_out"));
            THROUGHPUT_AVERAGE.setDouble(load, Json.number(report, "throughput_average"));
            UPDATED_AT.setLong(load, Json.integer(report, "updated_at") + shift);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
        return load;
    }

    private TopBundlesLoadData top(String broker, JsonNode list) {
        TopBundlesLoadData top = new TopBundlesLoadData();
        for (JsonNode item : list) {
            String bundle = Json.text(item, "bundle");
            NamespaceBundleStats stats = new NamespaceBundleStats();
            stats.msgThroughputIn = Json.number(item, "throughput_in");
            stats.msgThroughputOut = Json.number(item, "throughput_out");
            top.getTopBundlesLoadData().add(new TopBundlesLoadData.BundleLoadData(bundle, stats));
            bundles.put(bundle, item);
            if (Json.flag(item, "owned")) {
                owners.put(bundle, broker);
            }
        }
        return top;
    }

    // ------------------------------------------------------------------------------------------------- as a filter

    @Override
    public String name() {
        return "told";
    }

    @Override
    public CompletableFuture<Map<String, BrokerLookupData>> filterAsync(
            Map<String, BrokerLookupData> brokers, ServiceUnitId bundle, LoadManagerContext context) {
        JsonNode told = bundles.get(bundle.toString());
        if (Json.flag(told, "filter_fails")) {
            return CompletableFuture.failedFuture(new IllegalStateException("the filter fails"));
        }
        if (!Json.field(told, "admits").isNull()) {
            List<String> admitted = Json.texts(told, "admits");
            brokers.keySet().retainAll(new HashSet<>(admitted));
        }
        return CompletableFuture.completedFuture(brokers);
    }

    // ------------------------------------------------------------------------------------------------ as a context

    @Override
    public ServiceConfiguration brokerConfiguration() {
        return config;
    }

    @Override
    public BrokerRegistry brokerRegistry() {
        return registry;
    }

    @Override
    public LoadDataStore<BrokerLoadData> brokerLoadDataStore() {
        return loads;
    }

    @Override
    public LoadDataStore<TopBundlesLoadData> topBundleLoadDataStore() {
        return tops;
    }
}
