package evenkeel.helix;

import evenkeel.contract.Balancer;
import evenkeel.contract.View;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.helix.controller.dataproviders.ResourceControllerDataProvider;
import org.apache.helix.controller.rebalancer.strategy.AutoRebalanceStrategy;
import org.apache.helix.controller.rebalancer.strategy.CrushEdRebalanceStrategy;
import org.apache.helix.controller.rebalancer.strategy.RebalanceStrategy;

/**
 * The strategies that count partitions: CRUSH with an even distribution, which always places the same partitions on the same
 * nodes alike, or partitions dealt like cards, from where they are. As the controller does, each round makes a new one, and
 * gives it all nodes that are configured, and those of them that are live.
 */
final class Counted extends Placing {
    private final boolean crush;

    Counted(boolean crush) {
        this.crush = crush;
    }

    /** README.md says where each of them stands. */
    @Override
    public Map<String, Object> promises() {
        return Balancer.promising("measure", "count", "evenness", 1, "waits", 0, "rests_within", 2,
                crush ? "repeats" : "minimal", crush ? "any order" : true, "memory", false, "places", false,
                "knows", List.of("unserved", "joins", "leaves", "delay", "failures"));
    }

    @Override
    Map<String, String> placement(View view) throws IOException {
        List<String> units = new ArrayList<>(view.units().stream().map(View.Unit::name).toList());
        RebalanceStrategy<ResourceControllerDataProvider> strategy =
                crush ? new CrushEdRebalanceStrategy() : new AutoRebalanceStrategy();
        strategy.init(Cluster.RESOURCE, units, new LinkedHashMap<>(Map.of(Cluster.STATE, 1)), Integer.MAX_VALUE);
        Map<String, List<String>> lists = strategy.computePartitionAssignment(
                new ArrayList<>(view.nodes().stream().map(View.Node::name).toList()), new ArrayList<>(view.up()),
                current(view), Cluster.cache(view, view.nodes())).getListFields();
        Map<String, String> placement = new HashMap<>();
        lists.forEach((unit, list) -> list.stream().findFirst().ifPresent(node -> placement.put(unit, node)));
        return placement;
    }

    private static Map<String, Map<String, String>> current(View view) {
        Map<String, String> owners = view.owners();
        owners.values().retainAll(view.up());
        Map<String, Map<String, String>> current = new HashMap<>();
        owners.forEach((unit, node) -> current.put(unit, new HashMap<>(Map.of(node, Cluster.STATE))));
        return current;
    }
}
