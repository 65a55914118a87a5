package evenkeel.contract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cluster as it was reported to the balancer. */
public record View(int round, List<Node> nodes, List<Unit> units) {

    /** A node; one that is not up is about to leave, or down. */
    public record Node(String name, double capacity, boolean up) {
    }

    /** A unit; its node is null where none serves it, its load is 0 where none is reported. */
    public record Unit(String name, String node, double load, boolean moving, int since) {
    }

    static View of(JsonNode trial) {
        List<Node> nodes = new ArrayList<>();
        for (JsonNode node : trial.withArray("nodes")) {
            nodes.add(new Node(node.required("name").textValue(), node.required("capacity").doubleValue(),
                    node.required("up").booleanValue()));
        }
        List<Unit> units = new ArrayList<>();
        for (JsonNode unit : trial.withArray("units")) {
            units.add(new Unit(unit.required("name").textValue(), unit.required("node").textValue(),
                    unit.required("load").doubleValue(), unit.required("moving").booleanValue(),
                    unit.required("since").intValue()));
        }
        return new View(trial.required("round").intValue(), nodes, units);
    }

    /** The nodes that are up. */
    public List<String> up() {
        return nodes.stream().filter(Node::up).map(Node::name).toList();
    }

    /** The nodes that are about to leave, or down. */
    public List<String> leaving() {
        return nodes.stream().filter(node -> !node.up()).map(Node::name).toList();
    }

    /** The node of each unit that one serves. */
    public Map<String, String> owners() {
        Map<String, String> owners = new LinkedHashMap<>();
        units.stream().filter(unit -> unit.node() != null).forEach(unit -> owners.put(unit.name(), unit.node()));
        return owners;
    }

    /** The units that a node serves, in the order in which they came to it. */
    public List<Unit> servedBy(String node) {
        return units.stream().filter(unit -> node.equals(unit.node())).sorted(Comparator.comparingInt(Unit::since)).toList();
    }
}
