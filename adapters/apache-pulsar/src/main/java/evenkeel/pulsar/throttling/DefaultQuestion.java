package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.lang.reflect.Field;
import org.apache.pulsar.broker.ServiceConfiguration;

/** {@code throttling.default}: the field of a {@link ServiceConfiguration} that nobody has set. */
public final class DefaultQuestion implements Question {
    private final ServiceConfiguration config = new ServiceConfiguration();

    @Override
    public JsonNode answer(JsonNode trial) {
        String key = Json.text(trial, "key");
        try {
            Field field = ServiceConfiguration.class.getDeclaredField(key);
            field.setAccessible(true);
            return Json.object().put("value", String.valueOf(field.get(config)));
        } catch (NoSuchFieldException | IllegalAccessException missing) {
            throw new BadTrial("ServiceConfiguration has no " + key);
        }
    }
}
