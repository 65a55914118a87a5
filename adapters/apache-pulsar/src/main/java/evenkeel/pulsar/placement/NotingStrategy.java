package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.node.ArrayNode;
import evenkeel.pulsar.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadData;
import org.apache.pulsar.broker.loadbalance.ModularLoadManagerStrategy;
import org.apache.pulsar.broker.loadbalance.extensions.LoadManagerContext;
import org.apache.pulsar.broker.loadbalance.extensions.strategy.BrokerSelectionStrategy;
import org.apache.pulsar.common.naming.ServiceUnitId;
import org.apache.pulsar.policies.data.loadbalancer.BundleData;

/** The trial's strategy: notes what it is offered, and chooses by the trial's order of preference. */
final class NotingStrategy implements ModularLoadManagerStrategy, BrokerSelectionStrategy {
    private final List<Set<String>> offers = new ArrayList<>();
    private List<String> prefers = List.of();
    private List<String> prefersThen = List.of();

    /** Forgets what was offered. */
    void prefer(List<String> first, List<String> then) {
        offers.clear();
        prefers = first;
        prefersThen = then;
    }

    /** What was offered, each time, in the order of names. */
    ArrayNode offers() {
        ArrayNode result = Json.array();
        offers.forEach(offer -> offer.forEach(result.addArray()::add));
        return result;
    }

    private Optional<String> choose(Set<String> offered) {
        TreeSet<String> sorted = new TreeSet<>(offered);
        List<String> order = offers.isEmpty() ? prefers : prefersThen;
        offers.add(sorted);
        if (sorted.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(order.stream().filter(sorted::contains).findFirst().orElseGet(sorted::last));
    }

    @Override
    public Optional<String> selectBroker(Set<String> candidates, BundleData bundle, LoadData loadData,
                                         ServiceConfiguration config) {
        return choose(candidates);
    }

    @Override
    public Optional<String> select(Set<String> brokers, ServiceUnitId bundle, LoadManagerContext context) {
        return choose(brokers);
    }
}
