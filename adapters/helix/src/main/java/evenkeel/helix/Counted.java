package evenkeel.helix;

import evenkeel.contract.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.helix.controller.dataproviders.ResourceControllerDataProvider;
import org.apache.helix.controller.rebalancer.strategy.AutoRebalanceStrategy;
import org.apache.helix.controller.rebalancer.strategy.CrushEdRebalanceStrategy;
import org.apache.helix.controller.rebalancer.strategy.RebalanceStrategy;

/** The strategies that count partitions. As the controller does, each round makes a new one. */
final class Counted extends Placing {
    private static final List<String> KNOWN = List.of("unserved", "joins", "leaves", "delay", "failures");

    private final boolean crush;

    private Counted(boolean crush) {
        this.crush = crush;
    }

    /** CRUSH with an even distribution: the same partitions on the same nodes are always placed alike. */
    static Counted crushEd() {
        return new Counted(true);
    }

    /** Partitions dealt like cards, from where they are. */
    static Counted autoRebalance() {
        return new Counted(false);
    }

    /** README.md says where each of them stands. */
    @Override
    public Map<String, Object> promises() {
        Map<String, Object> promises = new LinkedHashMap<>();
        promises.put("measure", "count");
        promises.put("evenness", 1);
        promises.put("waits", 0);
        promises.put("rests_within", 2);
        promises.put(crush ? "repeats" : "minimal", crush ? "any order" : true);
        promises.put("memory", false);
        promises.put("places", false);
        promises.put("knows", KNOWN);
        return promises;
    }

    @Override
    Map<String, String> placement(View view) {
        List<String> nodes = Cluster.assignable(view);
        List<String> units = new ArrayList<>(view.units().stream().map(View.Unit::name).toList());
        RebalanceStrategy<ResourceControllerDataProvider> strategy =
                crush ? new CrushEdRebalanceStrategy() : new AutoRebalanceStrategy();
        strategy.init(Cluster.RESOURCE, units, new LinkedHashMap<>(Map.of(Cluster.STATE, 1)), Integer.MAX_VALUE);
        Map<String, List<String>> lists = strategy.computePartitionAssignment(new ArrayList<>(nodes),
                new ArrayList<>(nodes), current(view, nodes), Cluster.cache(view)).getListFields();
        Map<String, String> placement = new HashMap<>();
        lists.forEach((unit, list) -> list.stream().findFirst().ifPresent(node -> placement.put(unit, node)));
        return placement;
    }

    private static Map<String, Map<String, String>> current(View view, List<String> nodes) {
        Map<String, Map<String, String>> current = new HashMap<>();
        for (View.Unit unit : view.units()) {
            if (unit.node() != null && nodes.contains(unit.node())) {
                current.put(unit.name(), new HashMap<>(Map.of(unit.node(), Cluster.STATE)));
            }
        }
        return current;
    }
}
