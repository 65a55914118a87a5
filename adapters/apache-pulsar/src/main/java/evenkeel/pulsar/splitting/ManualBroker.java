package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.bundles.Bundles;
import evenkeel.pulsar.standin.StandInAdmin;
import evenkeel.pulsar.standin.StandInExtensible;
import evenkeel.pulsar.standin.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.broker.admin.impl.NamespacesBase;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/**
 * A broker that gets an operator's request to split: {@link NamespacesBase#internalSplitNamespaceBundleAsync}
 * and everything it calls, down to the metadata store; under the extensible load manager also its channel.
 */
final class ManualBroker {
    private final World world = new World();
    private final StandInAdmin admin = new StandInAdmin(world.pulsar);
    private final SplitBundles splits = SplitBundles.in(world);
    private final StandInExtensible extensible;
    private boolean spent;

    private ManualBroker(boolean isExtensible) {
        Class<?> manager = isExtensible ? ExtensibleLoadManagerImpl.class : ModularLoadManagerImpl.class;
        world.config.setLoadManagerClassName(manager.getName());
        extensible = isExtensible ? StandInExtensible.in(world) : null;
    }

    static ManualBroker modular() {
        return new ManualBroker(false);
    }

    static ManualBroker extensible() {
        return new ManualBroker(true);
    }

    /** Whether something was left hanging in this broker, so that it must not be used again. */
    boolean spent() {
        return spent;
    }

    JsonNode answer(JsonNode trial) throws Exception {
        spent = true;
        NamespaceName namespace = NamespaceName.get(Json.text(trial, "namespace"));
        List<Long> boundaries = Json.integers(trial, "boundaries");
        world.reset(namespace, boundaries);
        world.registerBroker();
        admin.setNamespace(namespace);
        Settings.read(world.config, trial, List.of("defaultNamespaceBundleSplitAlgorithm",
                "supportedNamespaceBundleSplitAlgorithms"));
        Settings.read(world.config, Json.field(trial, "limits"), List.of("loadBalancerNamespaceBundleMaxMsgRate",
                "loadBalancerNamespaceBundleMaxBandwidthMbytes", "flowOrQpsDifferenceThresholdPercentage"));
        tellTopics(Json.list(trial, "topics"));
        tellHeat(namespace, Json.list(trial, "heat"));
        own(namespace, Json.flag(trial, "owned"));
        splits.begin(namespace);
        String algorithm = Json.text(trial, "algorithm");
        var request = admin.split(Json.text(trial, "selector"), Json.flag(trial, "unload"),
                algorithm.isEmpty() ? null : algorithm, Json.integers(trial, "positions"));
        world.tasks.settle();
        spent = !request.isDone();
        world.tasks.settled(request);
        return answer(namespace);
    }

    private void tellTopics(JsonNode loads) {
        List<String> topics = new ArrayList<>(loads.size());
        for (JsonNode load : loads) {
            topics.add(Bundles.topic(Json.text(load, "topic")).toString());
        }
        world.topics.set(topics);
        world.brokerService.setTopicStats(Splits.topicStats(loads));
    }

    private void tellHeat(NamespaceName namespace, JsonNode heat) {
        Map<String, BundleData> known = new HashMap<>();
        for (JsonNode entry : heat) {
            BundleData data = new BundleData(10, 1000);
            data.setTopics(Json.small(entry, "topics"));
            data.getLongTermData().setMsgThroughputIn(Json.number(entry, "throughput"));
            known.put(Splits.bundle(world, namespace, Json.field(entry, "bundle")).toString(), data);
        }
        world.modular.setBundleData(known);
    }

    /** Makes this broker the owner of every bundle of the namespace, or of none. */
    private void own(NamespaceName namespace, boolean owned) throws Exception {
        List<NamespaceBundle> bundles = owned ? world.factory.getBundles(namespace).getBundles() : List.of();
        if (extensible != null) {
            extensible.reset(bundles);
            return;
        }
        for (NamespaceBundle bundle : bundles) {
            world.tasks.settled(world.namespaces.getOwnershipCache().tryAcquiringOwnership(bundle));
        }
    }

    private JsonNode answer(NamespaceName namespace) {
        ObjectNode answer = Json.object();
        answer.set("boundaries", Json.arrayOf(World.boundaries(world.localPolicies(namespace).bundles)));
        NamespaceBundle split = splits.only();
        if (split == null) {
            answer.putNull("split");
        } else {
            answer.set("split", Bundles.span(split));
        }
        answer.set("unloaded", Bundles.ascending(world.brokerService.unloaded()));
        return answer;
    }
}
