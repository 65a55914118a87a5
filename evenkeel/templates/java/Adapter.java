import java.util.List;
import java.util.Map;

/** An adapter for evenkeel. Override one method per question; those left out are not asked. */
final class Adapter extends Evenkeel.Balancer {

    /*
     * Put your balancer's calls in place of these. Throw Evenkeel.Refused if it rejects the input on purpose,
     * Evenkeel.Skipped for what it does not have. Anything else that is thrown is an observation too: that it broke.
     */
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
