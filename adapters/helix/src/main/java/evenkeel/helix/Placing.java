package evenkeel.helix;

import evenkeel.contract.Balancer;
import evenkeel.contract.Move;
import evenkeel.contract.View;
import java.util.List;
import java.util.Map;

/** The controller's side: all partitions are placed, and what is not where it is to be is moved. */
abstract class Placing implements Balancer {
    /** The node of each unit; what is in no node is left out. There is a node that is up, and a unit. */
    abstract Map<String, String> placement(View view) throws Exception;

    @Override
    public List<Move> rebalance(View view) throws Exception {
        if (view.units().isEmpty() || view.up().isEmpty()) {
            return List.of(); // A controller does not ask then.
        }
        Map<String, String> placement = placement(view);
        return view.units().stream().filter(unit -> !unit.moving() && placement.containsKey(unit.name()))
                .map(unit -> new Move(unit.name(), unit.node(), placement.get(unit.name())))
                .filter(move -> !move.to().equals(move.from())).toList();
    }
}
