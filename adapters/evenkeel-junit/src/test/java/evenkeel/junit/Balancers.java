package evenkeel.junit;

import java.util.Comparator;
import java.util.List;

/** Balancers with a defect each. */
final class Balancers {
    private Balancers() {
    }

    /** Moves a unit from the fullest node to the emptiest, also where that only changes their places. */
    static class Restless implements Balancer {
        @Override
        public Promises promises(long grace, long seed) {
            return Promises.builder().measure(Promises.Measure.COUNT).lessens(Promises.Lessens.MOVE)
                    .knows(Promises.Feature.JOINS).build();
        }

        @Override
        public List<Move> rebalance(Turn turn) {
            Comparator<NodeView> bySize = Comparator.comparing(node -> turn.servedBy(node.name()).size());
            NodeView fullest = turn.nodes().stream().max(bySize).orElseThrow();
            NodeView emptiest = turn.nodes().stream().min(bySize).orElseThrow();
            if (bySize.compare(fullest, emptiest) == 0) {
                return List.of();
            }
            String unit = turn.servedBy(fullest.name()).get(0).name();
            return List.of(new Move(unit, fullest.name(), emptiest.name()));
        }
    }

    /** The same until the check is over: what it knows is outside the object. */
    static final class Forgetful extends Restless {
        static boolean isTired;

        @Override
        public List<Move> rebalance(Turn turn) {
            return isTired ? List.of() : super.rebalance(turn);
        }
    }

    /** Fails where no unit is reported. */
    static final class Fragile extends Restless {
        @Override
        public List<Move> rebalance(Turn turn) {
            return turn.units().isEmpty() ? List.of(new Move(null, "n0", null)) : List.of();
        }
    }

    /** Moves nothing, and promises nothing. */
    static final class Idle implements Balancer {
        @Override
        public Promises promises(long grace, long seed) {
            return Promises.builder().build();
        }

        @Override
        public List<Move> rebalance(Turn turn) {
            return List.of();
        }
    }
}
