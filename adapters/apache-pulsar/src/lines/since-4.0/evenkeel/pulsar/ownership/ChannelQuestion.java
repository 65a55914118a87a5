package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.Refused;
import evenkeel.pulsar.standin.World;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState.StorageType;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateDataConflictResolver;

/**
 * {@code ownership.channel}: a {@code ServiceUnitStateChannelImpl} for each broker, around records in memory that
 * every broker reads when the trial says so.
 */
public final class ChannelQuestion implements Question {
    private static final List<String> HALVES = List.of("left", "right", "other");

    private final ServiceConfiguration config = new ServiceConfiguration();
    private final World world = new World();
    private final TimedFutures timers = TimedFutures.find();
    private final Map<StorageType, ServiceUnitStateDataConflictResolver> resolvers =
            new EnumMap<>(StorageType.class);

    public ChannelQuestion() {
        config.setClusterName(World.CLUSTER);
        config.setLoadManagerServiceUnitStateTableViewClassName(View.class.getName());
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        timers.clear();
        StorageType storage = Records.storage(trial);
        Cluster cluster = new Cluster(storage, Json.small(trial, "brokers"), config, world.resources, timers,
                resolvers.computeIfAbsent(storage, RecordQuestions::resolver));
        Commands commands = new Commands(cluster);
        ObjectNode answer = Json.object();
        ArrayNode steps = answer.putArray("steps");
        for (JsonNode command : Json.list(trial, "commands")) {
            String name = Json.text(command, "do");
            cluster.written.clear();
            commands.ended.clear();
            JsonNode result = result(commands, steps.size(), name, command);
            steps.add(step(cluster, commands, result, name.equals("settle")));
        }
        return answer;
    }

    private static JsonNode result(Commands commands, int ticket, String name, JsonNode command) {
        try {
            return commands.perform(ticket, name, command);
        } catch (Refused refused) {
            return Json.object().put("do", "refused").put("reason", refused.reason());
        } catch (Commands.Unreachable failed) {
            return Json.object().put("do", "broke").put("reason", "Unreachable");
        }
    }

    private static ObjectNode step(Cluster cluster, Commands commands, JsonNode result, boolean settled) {
        ObjectNode step = Json.object();
        step.set("result", result);
        ArrayNode ended = step.putArray("ended");
        new TreeMap<>(commands.ended).forEach((ticket, end) -> ended.add(lookup(ticket, end)));
        ArrayNode wrote = step.putArray("wrote");
        cluster.written.forEach(write -> {
            ObjectNode one = wrote.addObject()
                    .put("writer", number((String) write.get("writer")))
                    .put("bundle", (String) write.get("bundle"));
            ServiceUnitStateData data = (ServiceUnitStateData) write.get("record");
            one.set("record", data == null ? null : Records.write(data));
            one.put("stands", (Boolean) write.get("stands"));
        });
        ArrayNode serves = step.putArray("serves");
        for (Broker broker : cluster.all()) {
            if (!broker.serves.isEmpty()) {
                ArrayNode hashes = serves.addObject().put("broker", number(broker.name)).putArray("hashes");
                HALVES.stream().filter(broker.serves::contains).forEach(hashes::add);
            }
        }
        ArrayNode views = step.putArray("views");
        if (settled) {
            cluster.live().forEach(broker -> view(broker, views));
        }
        return step;
    }

    private static ObjectNode lookup(int ticket, Optional<Optional<String>> end) {
        ObjectNode lookup = Json.object().put("ticket", ticket);
        if (end.isEmpty()) {
            return lookup.put("end", "failed").putNull("owner");
        }
        return end.get().map(owner -> lookup.put("end", "owner").put("owner", number(owner)))
                .orElseGet(() -> lookup.put("end", "none").putNull("owner"));
    }

    private static void view(Broker broker, ArrayNode views) {
        for (String key : Ranges.KEYS) {
            ServiceUnitStateData data = broker.view.get(key);
            if (data != null) {
                ObjectNode seen = views.addObject().put("broker", number(broker.name)).put("bundle", Ranges.name(key));
                seen.set("record", Records.write(data));
            }
        }
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(1));
    }
}
