package org.apache.kafka.connect.runtime.distributed;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.runtime.distributed.WorkerCoordinator.ConnectorsAndTasks;
import org.apache.kafka.connect.storage.ClusterConfigState;

/** Calls what is visible in this package alone. */
public final class EvenkeelAccess {
    /** What a rebalance tells each worker to stop and to start, and after how many milliseconds it is to be repeated. */
    public record Change(Map<String, Collection<String>> revoked, Map<String, Collection<String>> assigned, int delay) {
    }

    private final IncrementalCooperativeAssignor assignor;
    private int generation = 1;

    public EvenkeelAccess(IncrementalCooperativeAssignor assignor) {
        this.assignor = assignor;
        assignor.previousGenerationId = generation;
    }

    /** One rebalance of a group whose workers run these connectors; no generation between two calls was missed. */
    public Change rebalance(ClusterConfigState configured, Map<String, Set<String>> run) {
        Map<String, ConnectorsAndTasks> reports = new HashMap<>();
        run.forEach((worker, connectors) ->
                reports.put(worker, new ConnectorsAndTasks.Builder().with(connectors, Set.of()).build()));
        var assignment = assignor.performTaskAssignment(configured, generation, generation + 1, reports);
        generation++;
        return new Change(assignment.newlyRevokedConnectors(), assignment.newlyAssignedConnectors(), assignor.delay);
    }
}
