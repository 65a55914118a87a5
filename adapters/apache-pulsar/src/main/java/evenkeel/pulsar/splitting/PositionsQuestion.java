package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.bundles.Bundles;
import evenkeel.pulsar.standin.World;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.common.naming.BundleSplitOption;
import org.apache.pulsar.common.naming.FlowOrQpsEquallyDivideBundleSplitOption;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleSplitAlgorithm;
import org.apache.pulsar.common.naming.NamespaceName;

/** {@code splitting.positions}: {@link NamespaceBundleSplitAlgorithm#getSplitBoundary} of each algorithm. */
public final class PositionsQuestion implements Question {
    private static final NamespaceName DEFAULT = NamespaceName.get("public/default");

    private final World world;
    private final ToldNamespaces namespaces;

    public PositionsQuestion(World world) {
        this.world = world;
        namespaces = ToldNamespaces.create(world.pulsar, world.factory);
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        JsonNode loads = Json.list(trial, "topics");
        List<String> topics = new ArrayList<>(loads.size());
        for (JsonNode load : loads) {
            topics.add(Bundles.topic(Json.text(load, "topic")).toString());
        }
        namespaces.setTopics(topics);
        NamespaceName namespace = topics.isEmpty() ? DEFAULT : Bundles.topic(topics.get(0)).getNamespaceObject();
        NamespaceBundle bundle = Splits.bundle(world, namespace, Json.field(trial, "bundle"));
        NamespaceBundleSplitAlgorithm algorithm = algorithm(trial);
        List<Long> positions = world.tasks.settled(algorithm.getSplitBoundary(option(trial, bundle, loads, algorithm)));
        ObjectNode answer = Json.object();
        answer.set("positions", Json.arrayOf(positions == null ? List.of() : positions));
        return answer;
    }

    private static NamespaceBundleSplitAlgorithm algorithm(JsonNode trial) {
        String name = Json.text(trial, "algorithm");
        NamespaceBundleSplitAlgorithm algorithm = NamespaceBundleSplitAlgorithm.of(name);
        if (algorithm == null) {
            throw new BadTrial("no algorithm is called " + name);
        }
        boolean forced = Json.flag(trial, "forced")
                && algorithm == NamespaceBundleSplitAlgorithm.SPECIFIED_POSITIONS_DIVIDE_ALGO;
        return forced ? NamespaceBundleSplitAlgorithm.SPECIFIED_POSITIONS_DIVIDE_FORCE_ALGO : algorithm;
    }

    private BundleSplitOption option(JsonNode trial, NamespaceBundle bundle, JsonNode loads,
                                     NamespaceBundleSplitAlgorithm algorithm) {
        List<Long> positions = Json.integers(trial, "positions");
        if (algorithm != NamespaceBundleSplitAlgorithm.FLOW_OR_QPS_EQUALLY_DIVIDE_ALGO) {
            return new BundleSplitOption(namespaces, bundle, positions);
        }
        JsonNode limits = Json.field(trial, "limits");
        return new FlowOrQpsEquallyDivideBundleSplitOption(namespaces, bundle, positions, Splits.topicStats(loads),
                Json.small(limits, "loadBalancerNamespaceBundleMaxMsgRate"),
                Json.small(limits, "loadBalancerNamespaceBundleMaxBandwidthMbytes"),
                Json.small(limits, "flowOrQpsDifferenceThresholdPercentage"));
    }
}
