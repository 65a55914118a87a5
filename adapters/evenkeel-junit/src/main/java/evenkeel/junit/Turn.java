package evenkeel.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a balancer is shown in a round.
 *
 * @param round the time
 * @param reported the round that nodes and units are reported of
 * @param grace for how many rounds a unit that has arrived rests
 */
public record Turn(long round, long reported, long grace, List<NodeView> nodes, List<UnitView> units) {
    /** The units that a node serves, in the order of the report. */
    public List<UnitView> servedBy(String node) {
        return units.stream().filter(unit -> node.equals(unit.node())).toList();
    }

    static Turn of(Map<?, ?> trial) {
        List<NodeView> nodes = new ArrayList<>();
        for (Object one : (List<?>) trial.get("nodes")) {
            Map<?, ?> node = (Map<?, ?>) one;
            nodes.add(new NodeView((String) node.get("name"), (Long) node.get("capacity"), (Long) node.get("limit"),
                    (String) node.get("zone"), (Boolean) node.get("up")));
        }
        List<UnitView> units = new ArrayList<>();
        for (Object one : (List<?>) trial.get("units")) {
            Map<?, ?> unit = (Map<?, ?>) one;
            units.add(new UnitView((String) unit.get("name"), (String) unit.get("node"), (Long) unit.get("load"),
                    (Boolean) unit.get("movable"), (Boolean) unit.get("moving"), (Long) unit.get("since"),
                    (String) unit.get("zone"), (String) unit.get("group")));
        }
        return new Turn((Long) trial.get("round"), (Long) trial.get("reported"), (Long) trial.get("grace"),
                List.copyOf(nodes), List.copyOf(units));
    }
}
