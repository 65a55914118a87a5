package evenkeel.junit;

import java.util.List;

/**
 * The balancer that is checked. A new object is made for each trial, and asked round after round; the
 * cluster around it is evenkeel's. What it throws is a failure of its own, but for {@link Cannot}.
 */
public interface Balancer {
    /**
     * What it promises, and is held to; the rest is not asked. The first call of each object.
     *
     * @param grace for how many rounds a unit that has arrived rests
     * @param seed for balancers that choose at random
     */
    Promises promises(long grace, long seed);

    /** Which units move. A move without {@code from} gives a unit that no node serves to a node. */
    List<Move> rebalance(Turn turn);

    /** The node for a unit that none serves, or null. Asked only of who promises {@code places}. */
    default String place(String unit, Turn turn) {
        throw new UnsupportedOperationException("promises places, and has no method place");
    }
}
