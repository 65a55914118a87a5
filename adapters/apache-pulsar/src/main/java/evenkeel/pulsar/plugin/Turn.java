package evenkeel.pulsar.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.policies.data.loadbalancer.NamespaceBundleStats;
import org.apache.pulsar.policies.data.loadbalancer.ResourceUsage;
import org.apache.pulsar.policies.data.loadbalancer.SystemResourceUsage;

/**
 * The cluster of one turn in Pulsar's words. A node that is up is a broker, on port 8080. A unit is the only bundle of
 * a namespace of its own. A load of 1 is 1,000 messages and 10 MB a second, half of them in, half of them out. Of a
 * broker of capacity 1 that takes 1 % of the processor and of the bandwidth. A unit without a load has no statistics.
 */
final class Turn {
    private static final double MESSAGES = 500;
    private static final double BYTES = 5 * 1024 * 1024;
    private static final Pattern OTHERS = Pattern.compile("[^-A-Za-z0-9]");
    private static final Pattern HEX = Pattern.compile("_([0-9a-f]+)_");
    private static final String PORT = ":8080";
    private static final String TENANT = "evenkeel/";
    private static final String RANGE = "/0x00000000_0xffffffff";

    private final Map<String, Double> capacities = new LinkedHashMap<>();
    private final Map<String, List<String>> served = new LinkedHashMap<>();
    private final Map<String, NamespaceBundleStats> statistics = new LinkedHashMap<>();
    private final JsonNode trial;

    Turn(JsonNode trial) {
        this.trial = trial;
        for (JsonNode node : Json.list(trial, "nodes")) {
            if (Json.flag(node, "up")) {
                String broker = encode(Json.text(node, "name")) + PORT;
                capacities.put(broker, Json.number(node, "capacity"));
                served.put(broker, new ArrayList<>());
            }
        }
        for (JsonNode unit : Json.list(trial, "units")) {
            String bundle = bundle(Json.text(unit, "name"));
            List<String> of = served.get(encode(Json.field(unit, "node").asText()) + PORT);
            if (of != null) {
                of.add(bundle);
            }
            if (!Json.field(unit, "load").isNull()) {
                statistics.put(bundle, statistics(Json.number(unit, "load")));
            }
        }
    }

    long round() {
        return Json.integer(trial, "round");
    }

    /** How old the brokers' reports are, in minutes. */
    int age() {
        return Json.small(trial, "round") - Json.small(trial, "reported");
    }

    /** In minutes; no shorter than reports are old, as by default: a broker reports after 15 minutes, grace is 30. */
    int grace() {
        return Math.max(Json.small(trial, "grace"), age());
    }

    /** When the brokers reported, by the wall clock. */
    long reportedAt() {
        return System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(age());
    }

    /** The bundle that is to be placed. */
    String asked() {
        return bundle(Json.text(trial, "unit"));
    }

    Set<String> brokers() {
        return new TreeSet<>(capacities.keySet());
    }

    /** All that a broker serves. */
    List<String> served(String broker) {
        return served.get(broker);
    }

    /** What a broker reports of its bundles, the fullest first. */
    Map<String, NamespaceBundleStats> reported(String broker) {
        Map<String, NamespaceBundleStats> reported = new LinkedHashMap<>();
        served.get(broker).stream().filter(statistics::containsKey)
                .sorted((one, other) -> Double.compare(statistics.get(other).msgRateIn, statistics.get(one).msgRateIn))
                .forEach(bundle -> reported.put(bundle, statistics.get(bundle)));
        return reported;
    }

    /** Of all bundles whose load is known, whoever serves them. */
    Map<String, NamespaceBundleStats> statistics() {
        return statistics;
    }

    /** The resources of a broker. What is just at a threshold is not above it for the sake of rounding. */
    SystemResourceUsage usage(String broker) {
        double load = 0;
        for (NamespaceBundleStats of : reported(broker).values()) {
            load += of.msgRateIn / MESSAGES;
        }
        double percent = load / capacities.get(broker) * (1 - 1e-6);
        SystemResourceUsage usage = new SystemResourceUsage();
        usage.setCpu(new ResourceUsage(percent, 100));
        usage.setBandwidthIn(new ResourceUsage(percent, 100));
        usage.setBandwidthOut(new ResourceUsage(percent, 100));
        usage.setMemory(new ResourceUsage(0, 100));
        usage.setDirectMemory(new ResourceUsage(0, 100));
        return usage;
    }

    private static NamespaceBundleStats statistics(double load) {
        NamespaceBundleStats stats = new NamespaceBundleStats();
        stats.msgRateIn = MESSAGES * load;
        stats.msgRateOut = MESSAGES * load;
        stats.msgThroughputIn = BYTES * load;
        stats.msgThroughputOut = BYTES * load;
        stats.topics = 1;
        return stats;
    }

    private static String bundle(String unit) {
        return TENANT + encode(unit) + RANGE;
    }

    /** The unit that is this bundle; what is no bundle of the trial stays as it is. */
    static String unit(String bundle) {
        boolean known = bundle.startsWith(TENANT) && bundle.endsWith(RANGE);
        return known ? decode(bundle.substring(TENANT.length(), bundle.length() - RANGE.length())) : bundle;
    }

    /** The node that is this broker; likewise. */
    static String node(String broker) {
        return broker.endsWith(PORT) ? decode(broker.substring(0, broker.length() - PORT.length())) : broker;
    }

    /** A name of letters, digits and hyphens alone, as Pulsar's names of hosts and namespaces are: the rest in hex. */
    private static String encode(String name) {
        return OTHERS.matcher(name).replaceAll(found -> "_" + Integer.toHexString(found.group().charAt(0)) + "_");
    }

    private static String decode(String name) {
        return HEX.matcher(name).replaceAll(
                found -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))));
    }
}
