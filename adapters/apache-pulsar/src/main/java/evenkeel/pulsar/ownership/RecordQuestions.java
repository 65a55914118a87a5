package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateDataConflictResolver;

/** {@code ownership.transition} and {@code ownership.conflict}: Pulsar's table and Pulsar's resolver. */
public final class RecordQuestions {
    private RecordQuestions() {
    }

    public static Question transition() {
        return trial -> answer("allowed", ServiceUnitState.isValidTransition(
                Records.state(trial, "before"), Records.state(trial, "after"), Records.storage(trial)));
    }

    public static Question conflict() {
        return trial -> {
            ServiceUnitStateDataConflictResolver resolver = new ServiceUnitStateDataConflictResolver();
            resolver.setStorageType(Records.storage(trial));
            return answer("accepted", !resolver.shouldKeepLeft(
                    Records.read(trial, "current"), Records.read(trial, "update")));
        };
    }

    private static JsonNode answer(String name, boolean value) {
        return Json.object().put(name, value);
    }
}
