package com.example;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A balancer: a unit of the node that serves most goes to the one that serves fewest. It knows nothing of evenkeel. */
public final class FewestUnits {
    /** A unit's way; {@code from} is null if no node serves it. */
    public record Step(String unit, String from, String to) {
    }

    /**
     * The next step; empty where it is even.
     *
     * @param served the units of each node that may take more
     * @param homeless steps without destination, of units that need another node before all others
     */
    public Optional<Step> next(Map<String, List<String>> served, List<Step> homeless) {
        if (served.isEmpty()) {
            return Optional.empty();
        }
        Comparator<String> bySize = Comparator.comparing(node -> served.get(node).size());
        List<String> nodes = served.keySet().stream().sorted(bySize).toList();
        String emptiest = nodes.get(0);
        if (!homeless.isEmpty()) {
            return Optional.of(new Step(homeless.get(0).unit(), homeless.get(0).from(), emptiest));
        }
        String fullest = nodes.get(nodes.size() - 1);
        if (served.get(fullest).size() - served.get(emptiest).size() < 2) {
            return Optional.empty();
        }
        return Optional.of(new Step(served.get(fullest).get(0), fullest, emptiest));
    }
}
