package evenkeel.contract;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One balancer, made afresh for each trial. What it throws is told as its breakage. */
public interface Balancer {
    /** The fields of the promises by name, only those that the balancer's documentation makes. */
    Map<String, Object> promises();

    /** Promises of these fields: names and values in turn. */
    static Map<String, Object> promising(Object... namesAndValues) {
        Map<String, Object> promises = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            promises.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return promises;
    }

    /** Which units move in this round. */
    List<Move> rebalance(View view) throws Exception;

    /** The node for a unit without one, null if there is none; asked only of who promises {@code places}. */
    default String place(View view, String unit) throws Exception {
        throw new IllegalStateException("this balancer does not promise to place units");
    }
}
