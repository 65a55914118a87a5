package evenkeel.pulsar.load;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.standin.StandInPulsar;
import java.io.IOException;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;

/** The command {@code heard}: some bundle changed its state. */
final class Changes {
    static final String BUNDLE = "tenant/ns/0x00000000_0x40000000";
    private static final String OTHER = "broker-2:8080";

    private Changes() {
    }

    /** What the broker hears. */
    static ServiceUnitStateData of(JsonNode heard) {
        return new ServiceUnitStateData(state(Json.text(heard, "state")), broker(heard, "destination"),
                broker(heard, "source"), 1);
    }

    /** Why the change could not be handled; null if it could. */
    static Throwable failure(JsonNode heard) {
        return Json.flag(heard, "failed") ? new IOException("the change could not be handled") : null;
    }

    private static String broker(JsonNode heard, String role) {
        return Json.flag(heard, role) ? StandInPulsar.BROKER_ID : OTHER;
    }

    private static ServiceUnitState state(String name) {
        return switch (name) {
            case "releasing" -> ServiceUnitState.Releasing;
            case "splitting" -> ServiceUnitState.Splitting;
            case "owned" -> ServiceUnitState.Owned;
            case "assigning" -> ServiceUnitState.Assigning;
            default -> throw new BadTrial("unknown state " + name);
        };
    }
}
