package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Refused;
import evenkeel.pulsar.bundles.Bundles;
import evenkeel.pulsar.standin.World;
import java.util.List;
import org.apache.commons.lang3.tuple.Pair;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceBundles;
import org.apache.pulsar.common.naming.NamespaceName;

/**
 * {@code splitting.apply}: {@link NamespaceBundleFactory#splitBundles}, with the namespace's boundaries loaded by
 * the factory itself from local policies. Where Pulsar finds no such bundle it answers null, which its callers
 * turn into the refusal "not found".
 */
public final class ApplyQuestion implements Question {
    private static final NamespaceName NAMESPACE = NamespaceName.get("public/default");

    private final World world;

    public ApplyQuestion(World world) {
        this.world = world;
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        world.reset(NAMESPACE, Json.integers(trial, "boundaries"));
        NamespaceBundle target = Splits.bundle(world, NAMESPACE, Json.field(trial, "target"));
        List<Long> positions = Json.integers(trial, "positions");
        Pair<NamespaceBundles, List<NamespaceBundle>> split =
                world.tasks.settled(world.factory.splitBundles(target, positions.size() + 1, positions));
        if (split == null) {
            throw new Refused("NotFound", "there is no bundle " + target);
        }
        ObjectNode answer = Json.object();
        answer.set("boundaries", Json.arrayOf(World.boundaries(split.getLeft().getBundlesData())));
        answer.set("children", Bundles.spans(split.getRight()));
        return answer;
    }
}
