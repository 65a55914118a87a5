package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Failure;
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
        world.reset(namespace, Json.integers(trial, "boundaries"));
        admin.setNamespace(namespace);
        long created = world.storedLocal(namespace).getStat().getVersion();
        ObjectNode answer = Json.object();
        ArrayNode results = answer.putArray("results");
        boolean broken = false;
        for (JsonNode command : Json.list(trial, "commands")) {
            JsonNode result = result(namespace, command, created);
            broken |= result.path("do").textValue().equals("broke");
            results.add(result);
        }
        stale = broken;
        return answer;
    }

    private JsonNode result(NamespaceName namespace, JsonNode command, long created) throws Throwable {
        try {
            return perform(namespace, command, created);
        } catch (Throwable thrown) {
            Failure failure = Failure.of(thrown);
            if (failure.kind() == Failure.Kind.ADAPTER) {
                throw thrown;
            }
            String kind = failure.kind() == Failure.Kind.REFUSED ? "refused" : "broke";
            return Json.object().put("do", kind).put("reason", failure.reason());
        }
    }

    private JsonNode perform(NamespaceName namespace, JsonNode command, long created) {
        switch (Json.text(command, "do")) {
            case "look_up":
                return lookUp(Json.text(command, "topic"));
            case "split":
                return split(namespace, command);
            case "set_group":
                admin.setGroup(Optional.of(Json.text(command, "group")).filter(group -> !group.isEmpty()));
                world.tasks.settle();
                return Json.object().put("do", "done");
            case "reload":
                world.forget();
                return Json.object().put("do", "done");
            case "read":
                return read(namespace, created);
            default:
                throw new BadTrial("unknown command " + command.get("do"));
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
