package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.bundles.Bundles;
import evenkeel.pulsar.standin.StandInAdmin;
import evenkeel.pulsar.standin.World;
import java.util.List;
import java.util.Optional;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceBundleSplitAlgorithm;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.LocalPolicies;

/**
 * {@code splitting.life}: the modular broker's {@link NamespaceService#splitAndOwnBundle}, lookups by
 * {@link NamespaceBundleFactory#getBundle(TopicName)} and the admin API's anti-affinity group, all over one
 * metadata store in which rivals can write first.
 */
public final class LifeQuestion implements Question {
    private World world;
    private StandInAdmin admin;
    private Children children;
    private boolean stale = true;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        if (stale) {
            world = new World();
            admin = new StandInAdmin(world.pulsar);
            children = new Children();
            world.namespaces.addNamespaceBundleOwnershipListener(children);
        }
        stale = true;
        NamespaceName namespace = NamespaceName.get(Json.text(trial, "namespace"));
        String group = trial.path("group").asText();
        admin.setNamespace(namespace);
        if (group.isEmpty()) {
            world.reset(namespace, Json.integers(trial, "boundaries"));
        } else {
            world.create(namespace, Json.integers(trial, "boundaries"));
            world.tasks.settled(admin.setGroup(Optional.of(group)));
        }
        long created = world.storedLocal(namespace).getStat().getVersion();
        boolean broken = false;
        ObjectNode answer = CommandList.answer(trial,
                (command, arguments) -> perform(namespace, command, arguments, created));
        for (JsonNode result : answer.get("results")) {
            broken |= result.get("do").textValue().equals("broke");
        }
        stale = broken;
        return answer;
    }

    private JsonNode perform(NamespaceName namespace, String command, JsonNode arguments, long created) {
        switch (command) {
            case "look_up":
                return lookUp(Json.text(arguments, "topic"));
            case "split":
                return split(namespace, arguments);
            case "set_group":
                Optional<String> group = Optional.of(Json.text(arguments, "group")).filter(text -> !text.isEmpty());
                world.tasks.settled(admin.setGroup(group));
                return CommandList.done();
            case "reload":
                world.forget();
                return CommandList.done();
            case "read":
                return read(namespace, created);
            default:
                throw CommandList.unknown(command);
        }
    }

    private JsonNode lookUp(String topic) {
        ObjectNode result = Json.object().put("do", "found");
        result.set("bundle", Bundles.span(world.factory.getBundle(Bundles.topic(topic))));
        return result;
    }

    private JsonNode split(NamespaceName namespace, JsonNode command) {
        NamespaceBundle bundle = Splits.bundle(world, namespace, Json.field(command, "bundle"));
        List<Long> positions = Json.integers(command, "positions");
        Rivals rivals = new Rivals(world, namespace, Json.list(command, "rivals"));
        children.clear();
        world.store.beforeConditionalWrite(rivals::next);
        try {
            world.tasks.settled(world.namespaces.splitAndOwnBundle(bundle, false,
                    NamespaceBundleSplitAlgorithm.SPECIFIED_POSITIONS_DIVIDE_FORCE_ALGO, positions));
        } finally {
            world.store.beforeConditionalWrite(null);
        }
        ObjectNode result = Json.object().put("do", "split_done");
        result.set("children", Bundles.ascending(children.bundles()));
        return result;
    }

    private JsonNode read(NamespaceName namespace, long created) {
        LocalPolicies local = world.localPolicies(namespace);
        ObjectNode result = Json.object().put("do", "stored");
        result.set("boundaries", Json.arrayOf(World.boundaries(local.bundles)));
        result.set("copy", Json.arrayOf(World.boundaries(world.globalPolicies(namespace).bundles)));
        result.put("group", local.namespaceAntiAffinityGroup == null ? "" : local.namespaceAntiAffinityGroup);
        return result.put("version", world.storedLocal(namespace).getStat().getVersion() - created);
    }
}
