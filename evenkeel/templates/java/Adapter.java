import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An adapter for evenkeel. Override one method per question; those left out are not asked. */
final class Adapter extends Evenkeel.Balancer {

    /*
     * Put your balancer's calls in place of these. Throw Evenkeel.Refused if it rejects the input on purpose,
     * Evenkeel.Skipped for what it does not have. Anything else that is thrown is an observation too: that it broke.
     */
    @Override
    Object contractRebalance(Map<String, Object> turn) {
        if ("open".equals(turn.get("do"))) {
            List<String> knows = List.of("joins", "changes", "unserved");
            return Map.of("promises", Map.of("measure", "count", "trigger", 1, "memory", false, "knows", knows));
        }
        List<Map<String, Object>> units = Evenkeel.list(turn, "units");
        List<Map<String, Object>> nodes = Evenkeel.list(turn, "nodes");
        Map<Object, Integer> held = new HashMap<>();
        nodes.forEach(node -> held.put(node.get("name"), 0));
        units.forEach(unit -> held.computeIfPresent(unit.get("node"), (node, count) -> count + 1));
        Object least = null;
        Object most = null;
        for (Map<String, Object> node : nodes) {
            Object name = node.get("name");
            least = least == null || held.get(name) < held.get(least) ? name : least;
            most = most == null || held.get(name) > held.get(most) ? name : most;
        }
        boolean resting = units.stream().noneMatch(unit -> (Boolean) unit.get("moving"));
        for (Map<String, Object> unit : resting ? units : List.<Map<String, Object>>of()) {
            Object node = unit.get("node");
            if (node == null || (node.equals(most) && held.get(most) - held.get(least) > 1)) {
                Map<String, Object> move = new HashMap<>(Map.of("unit", unit.get("name"), "to", least));
                move.put("from", node);
                return Map.of("moves", List.of(move));
            }
        }
        return Map.of("moves", List.of());
    }

    @Override
    Object bundlesHashLookup(Map<String, Object> trial) {
        List<Long> bounds = Evenkeel.list(trial, "boundaries");
        long hash = Evenkeel.integer(trial, "hash");
        for (int i = 0; i + 1 < bounds.size(); i++) {
            long lower = bounds.get(i);
            long upper = bounds.get(i + 1);
            boolean last = upper == 0xFFFFFFFFL;
            if (lower <= hash && (hash < upper || last)) {
                return Map.of("bundle", Map.of("lower", lower, "upper", upper, "upper_included", last));
            }
        }
        throw new Evenkeel.Refused("NoBundle", "no bundle holds the hash");
    }

    public static void main(String[] arguments) throws Exception {
        Evenkeel.serve(new Adapter(), "my-balancer", "1");
    }
}
