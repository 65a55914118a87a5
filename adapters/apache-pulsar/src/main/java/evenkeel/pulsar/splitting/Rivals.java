package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.standin.Texts;
import evenkeel.pulsar.standin.World;
import java.util.Iterator;
import java.util.List;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.BundlesData;
import org.apache.pulsar.common.policies.data.LocalPolicies;
import org.apache.pulsar.common.policies.data.Policies;

/** The other writers of a split: before each of our conditional writes, the next one writes. */
final class Rivals {
    private final World world;
    private final NamespaceName namespace;
    private final Iterator<JsonNode> waiting;

    Rivals(World world, NamespaceName namespace, JsonNode rivals) {
        this.world = world;
        this.namespace = namespace;
        waiting = rivals.iterator();
    }

    /** Lets the next rival write, if there is one left. */
    void next() {
        if (!waiting.hasNext()) {
            return;
        }
        JsonNode rival = waiting.next();
        LocalPolicies stored = world.localPolicies(namespace);
        switch (Json.text(rival, "do")) {
            case "touch":
                JsonNode group = rival.get("group");
                world.overwrite(namespace, group == null || group.isNull() ? stored : new LocalPolicies(
                        stored.bundles, stored.bookieAffinityGroup, group.asText().isEmpty() ? null : group.asText()));
                break;
            case "split":
                JsonNode bundle = Json.field(rival, "bundle");
                split(stored, Json.integer(bundle, "lower"), Json.integer(bundle, "upper"),
                        Json.integer(rival, "position"));
                break;
            default:
                throw new BadTrial("unknown rival " + rival.get("do"));
        }
    }

    private void split(LocalPolicies stored, long lower, long upper, long position) {
        List<Long> boundaries = World.boundaries(stored.bundles);
        int index = boundaries.indexOf(lower);
        boolean there = index >= 0 && index + 1 < boundaries.size() && boundaries.get(index + 1) == upper;
        if (!there || position <= lower || position >= upper) {
            return;
        }
        boundaries.add(index + 1, position);
        BundlesData bundles = Texts.bundles(boundaries);
        world.overwrite(namespace, new LocalPolicies(bundles, stored.bookieAffinityGroup,
                stored.namespaceAntiAffinityGroup));
        Policies policies = world.globalPolicies(namespace);
        policies.bundles = bundles;
        world.overwrite(namespace, policies);
    }
}
