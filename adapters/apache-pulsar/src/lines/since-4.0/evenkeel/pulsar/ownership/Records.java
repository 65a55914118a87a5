package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState.StorageType;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;

/** Records of the channel between the protocol and Pulsar. */
final class Records {
    private Records() {
    }

    static StorageType storage(JsonNode trial) {
        try {
            return StorageType.valueOf(Json.text(trial, "storage"));
        } catch (IllegalArgumentException unknown) {
            throw new BadTrial("the field storage must be SystemTopic or MetadataStore");
        }
    }

    static ServiceUnitState state(JsonNode trial, String name) {
        try {
            return ServiceUnitState.valueOf(Json.text(trial, name));
        } catch (IllegalArgumentException unknown) {
            throw new BadTrial("the field " + name + " must be a state");
        }
    }

    /** The record in this field, or null. */
    static ServiceUnitStateData read(JsonNode trial, String name) {
        JsonNode record = Json.field(trial, name);
        if (record.isNull()) {
            return null;
        }
        return new ServiceUnitStateData(state(record, "state"), textOrNull(record, "destination"),
                textOrNull(record, "source"), null, Json.flag(record, "force"), Json.integer(record, "version"));
    }

    private static String textOrNull(JsonNode record, String name) {
        return Json.field(record, name).isNull() ? null : Json.text(record, name);
    }

    /** A record of a {@link Cluster}. */
    static ObjectNode write(ServiceUnitStateData data) {
        return Json.object()
                .put("state", data.state().name())
                .put("destination", Cluster.protocolName(data.dstBroker()))
                .put("source", Cluster.protocolName(data.sourceBroker()))
                .put("version", data.versionId())
                .put("force", data.force());
    }
}
