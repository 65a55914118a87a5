package evenkeel.connect;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.connect.runtime.distributed.IncrementalCooperativeAssignor;
import org.apache.kafka.connect.storage.ClusterConfigState;

/** What is made otherwise in other versions. */
final class Line {
    private Line() {
    }

    static IncrementalCooperativeAssignor assignor(Time clock, int maxDelay) {
        return new IncrementalCooperativeAssignor(new LogContext(), clock, maxDelay);
    }

    /** A configuration with these connectors, by name their number of tasks and their settings. */
    static ClusterConfigState configured(Map<String, Integer> tasks, Map<String, Map<String, String>> settings) {
        return new ClusterConfigState(1, null, tasks, settings, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(),
                Set.of(), Set.of());
    }
}
