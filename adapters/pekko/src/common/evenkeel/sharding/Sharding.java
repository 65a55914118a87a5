package evenkeel.sharding;

import evenkeel.contract.Balancer;
import evenkeel.contract.Move;
import evenkeel.contract.View;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The coordinator's side: units are shards, nodes are the regions of the cluster's members. */
record Sharding(Strategy strategy, int threshold, int mostMoves) implements Balancer {
    /** What a coordinator knows of its regions; loads, capacities, zones and limits are not among it. */
    private static final List<String> KNOWN = List.of("unserved", "joins", "leaves", "delay", "failures");

    /** README.md says where each of them stands. */
    @Override
    public Map<String, Object> promises() {
        Map<String, Object> promises = new LinkedHashMap<>();
        promises.put("measure", "count");
        promises.put("trigger", threshold);
        promises.put("lessens", "move");
        promises.put("evenness", threshold);
        promises.put("most_moves", mostMoves);
        promises.put("fullest_first", true);
        promises.put("waits", 0);
        promises.put("rests_within", 2);
        promises.put("rests_per_unit", 1);
        promises.put("memory", false);
        promises.put("places", true);
        promises.put("knows", KNOWN);
        return promises;
    }

    /** Each shard is stopped where it is, and allocated afterwards. */
    @Override
    public List<Move> rebalance(View view) throws Exception {
        if (view.nodes().isEmpty()) {
            return List.of(); // A coordinator does not ask then.
        }
        Set<String> inProgress = view.units().stream().filter(View.Unit::moving).map(View.Unit::name)
                .collect(Collectors.toSet());
        Map<String, String> owners = view.units().stream().filter(unit -> unit.node() != null)
                .collect(Collectors.toMap(View.Unit::name, View.Unit::node));
        return strategy.rebalance(shards(view), leaving(view), inProgress).stream()
                .map(shard -> new Move(shard, owners.get(shard), null)).toList();
    }

    @Override
    public String place(View view, String unit) throws Exception {
        return view.nodes().isEmpty() ? null : strategy.allocate(unit, shards(view), leaving(view));
    }

    /** The shards of each region, those that are being stopped among them. */
    private static Map<String, List<String>> shards(View view) {
        Map<String, List<String>> shards = new LinkedHashMap<>();
        for (View.Node node : view.nodes()) {
            shards.put(node.name(), view.servedBy(node.name()).stream().map(View.Unit::name).toList());
        }
        return shards;
    }

    private static Set<String> leaving(View view) {
        return view.nodes().stream().filter(node -> !node.up()).map(View.Node::name).collect(Collectors.toSet());
    }
}
