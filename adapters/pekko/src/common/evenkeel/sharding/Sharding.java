package evenkeel.sharding;

import evenkeel.contract.Balancer;
import evenkeel.contract.Move;
import evenkeel.contract.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The coordinator's side: units are shards, nodes are the regions of the cluster's members. */
record Sharding(Library strategy, int threshold, int mostMoves) implements Balancer {
    /** README.md says where each of them stands. A coordinator knows no loads, capacities, zones and limits. */
    @Override
    public Map<String, Object> promises() {
        return Balancer.promising("measure", "count", "trigger", threshold, "lessens", "move", "evenness", threshold,
                "most_moves", mostMoves, "fullest_first", true, "waits", 0, "rests_within", 2, "rests_per_unit", 1,
                "memory", false, "places", true, "knows", List.of("unserved", "joins", "leaves", "delay", "failures"));
    }

    /**
     * Each shard is stopped where it is, and allocated afterwards: first all of the regions that are shutting down, as
     * the coordinator does itself, then those that the strategy names.
     */
    @Override
    public List<Move> rebalance(View view) {
        List<String> leaving = view.leaving();
        Map<String, String> owners = view.owners();
        Set<String> inProgress = view.units().stream().filter(View.Unit::moving).map(View.Unit::name)
                .collect(Collectors.toSet());
        List<Move> moves = new ArrayList<>();
        owners.forEach((shard, node) -> {
            if (leaving.contains(node) && inProgress.add(shard)) {
                moves.add(new Move(shard, node, null));
            }
        });
        Map<String, List<String>> shards = shards(view, view.up());
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
    public String place(View view, String unit) {
        return view.up().isEmpty() ? null : strategy.allocate(unit, shards(view, view.up()));
    }

    /** The shards of each region, those that are being stopped among them. */
    private static Map<String, List<String>> shards(View view, List<String> nodes) {
        Map<String, List<String>> shards = new LinkedHashMap<>();
        nodes.forEach(node -> shards.put(node, view.servedBy(node).stream().map(View.Unit::name).toList()));
        return shards;
    }
}
