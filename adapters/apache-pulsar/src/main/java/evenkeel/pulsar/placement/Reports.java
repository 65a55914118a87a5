package evenkeel.pulsar.placement;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import evenkeel.pulsar.Json;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.pulsar.policies.data.loadbalancer.LocalBrokerData;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;

/** Reports, weights and choices, as trials and answers write them. */
final class Reports {
    private Reports() {
    }

    /** Puts the five resources of a trial into a report. */
    static void resources(LocalBrokerData report, JsonNode resources) {
        report.setCpu(resource(resources, "cpu"));
        report.setMemory(resource(resources, "memory"));
        report.setDirectMemory(resource(resources, "direct_memory"));
        report.setBandwidthIn(resource(resources, "bandwidth_in"));
        report.setBandwidthOut(resource(resources, "bandwidth_out"));
    }

    private static ResourceUsage resource(JsonNode resources, String name) {
        JsonNode resource = Json.field(resources, name);
        return new ResourceUsage(Json.number(resource, "usage"), Json.number(resource, "limit"));
    }

    /** Candidates, gone through in the trial's order. */
    static Set<String> candidates(JsonNode trial, String name) {
        return new LinkedHashSet<>(Json.texts(trial, name));
    }

    /** Asks so often; null stands for no choice. */
    static ArrayNode choices(int times, Callable<Optional<String>> ask) throws Exception {
        ArrayNode choices = Json.array();
        for (int i = 0; i < times; i++) {
            choices.add(ask.call().orElse(null));
        }
        return choices;
    }

}
