package evenkeel.pulsar.shedding;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.Multimap;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Settings;
import evenkeel.pulsar.placement.Plans;
import java.util.List;
import java.util.function.Supplier;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.LoadSheddingStrategy;
import org.apache.pulsar.broker.loadbalance.impl.AvgShedder;
import org.apache.pulsar.broker.loadbalance.impl.OverloadShedder;
import org.apache.pulsar.broker.loadbalance.impl.UniformLoadShedder;

/**
 * {@code shedding.overload}, {@code shedding.uniform}, {@code shedding.avg}: a real shedder, new for each trial, whose
 * {@code findBundlesForUnloading} is called once a round.
 */
public final class ShedderQuestion<S extends LoadSheddingStrategy> implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();
    private final Supplier<S> shedders;
    private final Writer<S> writer;
    private final List<String> keys;

    /** Writes the bundles that a broker is to shed. */
    @FunctionalInterface
    interface Writer<S> {
        JsonNode write(S shedder, String bundle, Reports reports, ServiceConfiguration config);
    }

    private ShedderQuestion(Supplier<S> shedders, Writer<S> writer, List<String> keys) {
        this.shedders = shedders;
        this.writer = writer;
        this.keys = keys;
    }

    public static Question overload() {
        return new ShedderQuestion<>(OverloadShedder::new, ShedderQuestion::name, Keys.OVERLOAD);
    }

    public static Question uniform() {
        return new ShedderQuestion<>(UniformLoadShedder::new, ShedderQuestion::name, Keys.UNIFORM);
    }

    public static Question avg() {
        return new ShedderQuestion<>(AvgShedder::new, ShedderQuestion::planned, Keys.AVG);
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        Settings.read(config, Json.field(trial, "config"), keys);
        S shedder = shedders.get();
        Reports reports = new Reports(trial, config);
        ObjectNode answer = Json.object();
        ArrayNode rounds = answer.putArray("rounds");
        for (JsonNode round : Json.list(trial, "rounds")) {
            reports.receive(round);
            Multimap<String, String> shed =
                    ImmutableListMultimap.copyOf(shedder.findBundlesForUnloading(reports.data, config));
            rounds.add(write(shedder, shed, reports));
            reports.unload(round, shed.values());
        }
        return answer;
    }

    private ArrayNode write(S shedder, Multimap<String, String> shed, Reports reports) {
        ArrayNode brokers = Json.array();
        shed.asMap().forEach((broker, bundles) -> {
            ObjectNode entry = Json.object().put("broker", broker);
            ArrayNode names = entry.putArray("bundles");
            bundles.forEach(bundle -> names.add(writer.write(shedder, bundle, reports, config)));
            brokers.add(entry);
        });
        return brokers;
    }

    private static <S> JsonNode name(S shedder, String bundle, Reports reports, ServiceConfiguration config) {
        return Json.MAPPER.getNodeFactory().textNode(bundle);
    }

    /** The bundle with the broker that the shedder has for it. */
    private static JsonNode planned(AvgShedder shedder, String bundle, Reports reports, ServiceConfiguration config) {
        String destination = new Plans(shedder).destination(bundle, reports.data, config);
        return Json.object().put("bundle", bundle).put("destination", destination);
    }
}
