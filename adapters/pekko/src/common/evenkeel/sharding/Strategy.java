package evenkeel.sharding;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a coordinator asks of its strategy; {@code shards} are those of each region, in the order of their allocation. */
interface Strategy {
    /** The shards that are to be stopped, given those that are being handed off. */
    Collection<String> rebalance(Map<String, List<String>> shards, Set<String> leaving, Set<String> inProgress) throws Exception;

    /** The region for a shard that is in none; there is at least one region. */
    String allocate(String shard, Map<String, List<String>> shards) throws Exception;
}
