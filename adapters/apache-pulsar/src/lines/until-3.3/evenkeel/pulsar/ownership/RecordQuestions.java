package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Question;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateCompactionStrategy;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;

/**
 * {@code ownership.transition} and {@code ownership.conflict}: Pulsar's table, and the strategy by which it compacts
 * the topic that holds the records. There is no other storage until 3.3.
 */
public final class RecordQuestions {
    private RecordQuestions() {
    }

    public static Question transition() {
        return trial -> {
            inTopic(trial);
            return answer("allowed", ServiceUnitState.isValidTransition(state(trial, "before"), state(trial, "after")));
        };
    }

    public static Question conflict() {
        ServiceUnitStateCompactionStrategy strategy = new ServiceUnitStateCompactionStrategy();
        return trial -> {
            inTopic(trial);
            return answer("accepted", !strategy.shouldKeepLeft(read(trial, "current"), read(trial, "update")));
        };
    }

    private static void inTopic(JsonNode trial) {
        if (!Json.text(trial, "storage").equals("SystemTopic")) {
            throw new NotHere("until 3.3 the records are in a topic");
        }
    }

    private static ServiceUnitState state(JsonNode trial, String name) {
        return ServiceUnitState.valueOf(Json.text(trial, name));
    }

    private static ServiceUnitStateData read(JsonNode trial, String name) {
        JsonNode record = Json.field(trial, name);
        try {
            return record.isNull() ? null : new ServiceUnitStateData(state(record, "state"),
                    textOrNull(record, "destination"), textOrNull(record, "source"), null,
                    Json.flag(record, "force"), Json.integer(record, "version"));
        } catch (IllegalArgumentException impossible) {
            throw new NotHere("until 3.0 every record names a broker, one that is Free as well");
        }
    }

    private static String textOrNull(JsonNode record, String name) {
        return Json.field(record, name).isNull() ? null : Json.text(record, name);
    }

    private static JsonNode answer(String name, boolean value) {
        return Json.object().put(name, value);
    }
}
