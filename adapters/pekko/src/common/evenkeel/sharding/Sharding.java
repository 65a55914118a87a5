package evenkeel.sharding;

import evenkeel.contract.Balancer;
import evenkeel.contract.Move;
import evenkeel.contract.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

    /**
     * Each shard is stopped where it is, and allocated afterwards: first all of the regions that are shutting down, as
     * the coordinator does itself, then those that the strategy names.
     */
    @Override
    public List<Move> rebalance(View view) throws Exception {
        Set<String> leaving = nodes(view, false);
        Map<String, String> owners = new LinkedHashMap<>();
        view.units().stream().filter(unit -> unit.node() != null).forEach(unit -> owners.put(unit.name(), unit.node()));
        Set<String> inProgress = view.units().stream().filter(View.Unit::moving).map(View.Unit::name)
                .collect(Collectors.toSet());
        List<Move> moves = new ArrayList<>();
        owners.forEach((shard, node) -> {
            if (leaving.contains(node) && inProgress.add(shard)) {
                moves.add(new Move(shard, node, null));
            }
        });
        Map<String, List<String>> shards = shards(view, nodes(view, true));
        shards.putAll(shards(view, leaving));
        leaving.forEach(node -> shards.remove(node, List.of())); // It has nothing left, so it has ended.
        if (!shards.isEmpty()) {
            for (String shard : strategy.rebalance(shards, leaving, inProgress)) {
                moves.add(new Move(shard, owners.get(shard), null));
            }
        }
        return moves;
    }

    /** A coordinator does not ask of regions that are shutting down, nor where there is no other. */
    @Override
    public String place(View view, String unit) throws Exception {
        Set<String> up = nodes(view, true);
        return up.isEmpty() ? null : strategy.allocate(unit, shards(view, up));
    }

    private static Set<String> nodes(View view, boolean up) {
        return view.nodes().stream().filter(node -> node.up() == up).map(View.Node::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The shards of each region, those that are being stopped among them. */
    private static Map<String, List<String>> shards(View view, Set<String> nodes) {
        Map<String, List<String>> shards = new LinkedHashMap<>();
        nodes.forEach(node -> shards.put(node, view.servedBy(node).stream().map(View.Unit::name).toList()));
        return shards;
    }
}
