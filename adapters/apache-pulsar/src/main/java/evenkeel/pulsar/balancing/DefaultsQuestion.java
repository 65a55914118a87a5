package evenkeel.pulsar.balancing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.lang.reflect.Field;
import org.apache.pulsar.broker.ServiceConfiguration;

/** {@code balancing.defaults}: the fields of a {@link ServiceConfiguration} in which nothing was set. */
public final class DefaultsQuestion implements Question {
    private final ServiceConfiguration nothingSet = new ServiceConfiguration();

    @Override
    public JsonNode answer(JsonNode trial) throws IllegalAccessException {
        ObjectNode answer = Json.object();
        ArrayNode values = answer.putArray("values");
        for (String key : Json.texts(trial, "keys")) {
            try {
                Field field = ServiceConfiguration.class.getDeclaredField(key);
                field.setAccessible(true);
                values.add(String.valueOf(field.get(nothingSet)));
            } catch (NoSuchFieldException none) {
                values.addNull();
            }
        }
        return answer;
    }
}
