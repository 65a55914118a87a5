package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.util.EnumMap;
import java.util.Map;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState.StorageType;
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
        Map<StorageType, ServiceUnitStateDataConflictResolver> resolvers = new EnumMap<>(StorageType.class);
        for (StorageType storage : StorageType.values()) {
            resolvers.put(storage, resolver(storage));
        }
        return trial -> answer("accepted", !resolvers.get(Records.storage(trial)).shouldKeepLeft(
                Records.read(trial, "current"), Records.read(trial, "update")));
    }

    static ServiceUnitStateDataConflictResolver resolver(StorageType storage) {
        ServiceUnitStateDataConflictResolver resolver = new ServiceUnitStateDataConflictResolver();
        resolver.setStorageType(storage);
        return resolver;
    }

    private static JsonNode answer(String name, boolean value) {
        return Json.object().put(name, value);
    }
}
