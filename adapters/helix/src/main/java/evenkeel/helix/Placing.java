package evenkeel.helix;

import evenkeel.contract.Balancer;
import evenkeel.contract.Move;
import evenkeel.contract.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The controller's side: all partitions are placed, and what is not where it is to be is moved. */
abstract class Placing implements Balancer {
    /** The node of each unit; what is in no node is left out. There is a node that is up, and a unit. */
    abstract Map<String, String> placement(View view) throws Exception;

    @Override
    public List<Move> rebalance(View view) throws Exception {
        if (view.units().isEmpty() || view.nodes().stream().noneMatch(View.Node::up)) {
            return List.of(); // A controller does not ask then.
        }
        Map<String, String> placement = placement(view);
        List<Move> moves = new ArrayList<>();
        for (View.Unit unit : view.units()) {
            String to = placement.get(unit.name());
            if (to != null && !unit.moving() && !to.equals(unit.node())) {
                moves.add(new Move(unit.name(), unit.node(), to));
            }
        }
        return moves;
    }
}
