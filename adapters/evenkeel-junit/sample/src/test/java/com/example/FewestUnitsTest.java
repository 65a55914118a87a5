package com.example;

import com.example.FewestUnits.Step;
import evenkeel.junit.Balancer;
import evenkeel.junit.BalancerContract;
import evenkeel.junit.Move;
import evenkeel.junit.NodeView;
import evenkeel.junit.Promises;
import evenkeel.junit.Promises.Feature;
import evenkeel.junit.Promises.Lessens;
import evenkeel.junit.Promises.Measure;
import evenkeel.junit.Promises.Repeats;
import evenkeel.junit.Promises.Trigger;
import evenkeel.junit.Turn;
import evenkeel.junit.UnitView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Each clause of the contract that FewestUnits promises is a test. */
class FewestUnitsTest implements BalancerContract {
    @Override
    public Balancer balancer() {
        return new Adapted();
    }

    private static final class Adapted implements Balancer {
        private final FewestUnits balancer = new FewestUnits();

        @Override
        public Promises promises(long grace, long seed) {
            return Promises.builder().measure(Measure.COUNT).trigger(1, Trigger.DIFFERENCE).lessens(Lessens.MOVE)
                    .fullestFirst().mostMoves(1).restsWithin(6, 2).evenness(1).minimal().repeats(Repeats.AS_LISTED)
                    .scales().renames().withoutMemory().knows(Feature.JOINS, Feature.LEAVES, Feature.UNSERVED).build();
        }

        @Override
        public List<Move> rebalance(Turn turn) {
            Map<String, List<String>> served = new LinkedHashMap<>();
            for (NodeView node : turn.nodes()) {
                if (node.up()) {
                    served.put(node.name(), turn.servedBy(node.name()).stream().map(UnitView::name).toList());
                }
            }
            List<Step> homeless = turn.units().stream()
                    .filter(unit -> !unit.moving() && !served.containsKey(unit.node()))
                    .map(unit -> new Step(unit.name(), unit.node(), null)).toList();
            return balancer.next(served, homeless).stream()
                    .map(step -> new Move(step.unit(), step.from(), step.to())).toList();
        }
    }
}
