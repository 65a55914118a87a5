package evenkeel.connect;

import evenkeel.contract.Balancer;
import evenkeel.contract.Move;
import evenkeel.contract.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.connect.runtime.distributed.EvenkeelAccess;
import org.apache.kafka.connect.storage.ClusterConfigState;

/** A group of workers under one leader: nodes that are up are workers, units are connectors without tasks. */
final class Group implements Balancer {
    private static final int ROUND_SECONDS = 120;
    private static final List<String> KNOWN = List.of("unserved", "joins", "leaves", "delay");

    private final Clock clock = new Clock();
    private final EvenkeelAccess assignor;
    private final int delayRounds;
    private Set<String> workers = Set.of();
    private boolean revoked;
    private long due = Long.MAX_VALUE;

    Group(int delaySeconds) {
        assignor = new EvenkeelAccess(Line.assignor(clock, delaySeconds * 1000));
        delayRounds = (delaySeconds + ROUND_SECONDS - 1) / ROUND_SECONDS;
    }

    /** README.md says where each of them stands. */
    @Override
    public Map<String, Object> promises() {
        return Balancer.promising("measure", "count", "trigger", 1, "evenness", 1, "minimal", true, "waits", 1 + delayRounds,
                "rests_within", 6 + 2 * delayRounds, "places", false, "knows", KNOWN);
    }

    @Override
    public List<Move> rebalance(View view) {
        clock.set(1_000L * ROUND_SECONDS * (1 + view.round()));
        Set<String> now = new TreeSet<>(view.up());
        List<Move> stopped = view.units().stream().filter(unit -> unit.node() != null && !now.contains(unit.node()))
                .filter(unit -> !unit.moving()).map(unit -> new Move(unit.name(), unit.node(), null)).toList();
        boolean busy = !stopped.isEmpty() || view.units().stream().anyMatch(View.Unit::moving);
        if (busy || now.isEmpty() || !begins(now)) {
            return stopped; // A worker leaves the group when it has stopped all that it runs.
        }
        workers = now;
        EvenkeelAccess.Change change = assignor.rebalance(configured(view), run(view));
        revoked = change.revoked().values().stream().anyMatch(connectors -> !connectors.isEmpty());
        due = change.delay() > 0 ? clock.milliseconds() + change.delay() : Long.MAX_VALUE;
        return moves(view, change);
    }

    /** A worker has come or gone, what was revoked has been stopped, or the delay that the leader told is over. */
    private boolean begins(Set<String> now) {
        return revoked || !workers.equals(now) || clock.milliseconds() >= due;
    }

    private static ClusterConfigState configured(View view) {
        Map<String, Integer> tasks = new HashMap<>();
        Map<String, Map<String, String>> settings = new HashMap<>();
        for (View.Unit unit : view.units()) {
            tasks.put(unit.name(), 0);
            settings.put(unit.name(), Map.of());
        }
        return Line.configured(tasks, settings);
    }

    /** What each worker reports that it runs. */
    private Map<String, Set<String>> run(View view) {
        Map<String, Set<String>> run = new LinkedHashMap<>();
        for (String worker : workers) {
            run.put(worker, view.servedBy(worker).stream().map(View.Unit::name).collect(Collectors.toCollection(TreeSet::new)));
        }
        return run;
    }

    /**
     * What is revoked from a worker is stopped there, if it runs it: the assignor may revoke what it assigned in the same
     * rebalance. What is assigned is started; the worker that ran it has left.
     */
    private static List<Move> moves(View view, EvenkeelAccess.Change change) {
        Map<String, String> owners = view.owners();
        List<Move> moves = new ArrayList<>();
        for (Map.Entry<String, Collection<String>> worker : change.revoked().entrySet()) {
            worker.getValue().stream().filter(unit -> worker.getKey().equals(owners.get(unit)))
                    .forEach(unit -> moves.add(new Move(unit, worker.getKey(), null)));
        }
        for (Map.Entry<String, Collection<String>> worker : change.assigned().entrySet()) {
            worker.getValue().forEach(unit -> moves.add(new Move(unit, owners.get(unit), worker.getKey())));
        }
        return moves;
    }
}
