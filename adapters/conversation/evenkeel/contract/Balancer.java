package evenkeel.contract;

import java.util.List;
import java.util.Map;

/** One balancer, made afresh for each trial. What it throws is told as its breakage. */
public interface Balancer {
    /** The fields of the promises by name, only those that the balancer's documentation makes. */
    Map<String, Object> promises();

    /** Which units move in this round. */
    List<Move> rebalance(View view) throws Exception;

    /** The node for a unit without one, null if there is none; asked only of who promises {@code places}. */
    default String place(View view, String unit) throws Exception {
        throw new IllegalStateException("this balancer does not promise to place units");
    }
}
