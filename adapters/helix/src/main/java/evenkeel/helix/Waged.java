package evenkeel.helix;

import evenkeel.contract.Balancer;
import evenkeel.contract.Cannot;
import evenkeel.contract.View;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.helix.HelixConstants.ChangeType;
import org.apache.helix.HelixRebalanceException;
import org.apache.helix.controller.dataproviders.ResourceControllerDataProvider;
import org.apache.helix.controller.rebalancer.waged.RebalanceAlgorithm;
import org.apache.helix.controller.rebalancer.waged.constraints.ConstraintBasedAlgorithmFactory;
import org.apache.helix.controller.rebalancer.waged.model.ClusterModel;
import org.apache.helix.controller.rebalancer.waged.model.ClusterModelProvider;
import org.apache.helix.model.ClusterConfig.GlobalRebalancePreferenceKey;
import org.apache.helix.model.Partition;
import org.apache.helix.model.Resource;
import org.apache.helix.model.ResourceAssignment;

/** The weight-aware algorithm. The baseline and the best possible, which its caller keeps, are kept here. */
final class Waged extends Placing {
    private final RebalanceAlgorithm algorithm;
    private final boolean stays;
    private Map<String, ResourceAssignment> baseline;
    private Map<String, ResourceAssignment> best;
    private Set<View.Node> nodes = Set.of();
    private List<?> loads = List.of();

    Waged(int evenness, int lessMovement) {
        stays = lessMovement >= evenness;
        algorithm = ConstraintBasedAlgorithmFactory.getInstance(Map.of(
                GlobalRebalancePreferenceKey.EVENNESS, evenness,
                GlobalRebalancePreferenceKey.LESS_MOVEMENT, lessMovement));
    }

    /** README.md says where each of them stands. */
    @Override
    public Map<String, Object> promises() {
        return Balancer.promising("measure", "usage", "minimal", stays, "waits", 0, "rests_within", 3, "memory", true,
                "places", false, "knows", List.of("capacity", "unserved", "joins", "leaves", "changes", "delay", "failures"));
    }

    @Override
    Map<String, String> placement(View view) throws Cannot, IOException {
        ResourceControllerDataProvider cache = Cluster.cache(view, view.nodes().stream().filter(View.Node::up).toList());
        Map<String, Resource> resources = resources(view);
        Set<String> active = new HashSet<>(view.up());
        Map<ChangeType, Set<String>> changes = changes(view);
        if (best == null) {
            baseline = Map.of(Cluster.RESOURCE, current(view));
            best = baseline;
        }
        if (!changes.isEmpty()) {
            baseline = solved(ClusterModelProvider.generateClusterModelForBaseline(cache, resources, active, changes, baseline));
        }
        best = solved(ClusterModelProvider.generateClusterModelForPartialRebalance(cache, resources, active, baseline, best));
        Map<String, String> placement = new HashMap<>();
        ResourceAssignment assignment = best.get(Cluster.RESOURCE);
        for (Partition unit : assignment.getMappedPartitions()) {
            assignment.getReplicaMap(unit).keySet().forEach(node -> placement.put(unit.getPartitionName(), node));
        }
        return placement;
    }

    private Map<String, ResourceAssignment> solved(ClusterModel model) throws Cannot {
        try {
            return algorithm.calculate(model).getOptimalResourceAssignment();
        } catch (HelixRebalanceException none) {
            throw new Cannot(none.getMessage());
        }
    }

    /** What a controller would see changed since the round before: nodes, units and loads, but not who serves what. */
    private Map<ChangeType, Set<String>> changes(View view) {
        Map<ChangeType, Set<String>> changes = new HashMap<>();
        Set<View.Node> nodesNow = new HashSet<>(view.nodes());
        if (!nodesNow.equals(nodes)) {
            changes.put(ChangeType.INSTANCE_CONFIG, new HashSet<>(view.up()));
        }
        List<?> loadsNow = view.units().stream().map(unit -> Map.entry(unit.name(), unit.load())).toList();
        if (!loadsNow.equals(loads)) {
            changes.put(ChangeType.RESOURCE_CONFIG, new HashSet<>(Set.of(Cluster.RESOURCE)));
        }
        nodes = nodesNow;
        loads = loadsNow;
        return changes;
    }

    private static Map<String, Resource> resources(View view) {
        Resource resource = new Resource(Cluster.RESOURCE);
        resource.setStateModelDefRef("OnlineOffline");
        view.units().forEach(unit -> resource.addPartition(unit.name()));
        return Map.of(Cluster.RESOURCE, resource);
    }

    private static ResourceAssignment current(View view) {
        ResourceAssignment current = new ResourceAssignment(Cluster.RESOURCE);
        view.owners().forEach((unit, node) -> current.addReplicaMap(new Partition(unit), Map.of(node, Cluster.STATE)));
        return current;
    }
}
