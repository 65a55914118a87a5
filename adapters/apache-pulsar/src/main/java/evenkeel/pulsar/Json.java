package evenkeel.pulsar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Reading trials and writing answers. */
public final class Json {
    /** The one mapper; it is safe to share. */
    public static final ObjectMapper MAPPER = new ObjectMapper();

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Json() {
    }

    public static ObjectNode object() {
        return NODES.objectNode();
    }

    public static ArrayNode array() {
        return NODES.arrayNode();
    }

    /** A field that the trial must have (it may be null). */
    public static JsonNode field(JsonNode trial, String name) {
        JsonNode value = trial.get(name);
        if (value == null) {
            throw new BadTrial("the field " + name + " is missing");
        }
        return value;
    }

    public static String text(JsonNode trial, String name) {
        JsonNode value = field(trial, name);
        if (!value.isTextual()) {
            throw new BadTrial("the field " + name + " must be a string");
        }
        return value.textValue();
    }

    public static long integer(JsonNode trial, String name) {
        return wide(field(trial, name), name);
    }

    private static long wide(JsonNode value, String name) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new BadTrial("the field " + name + " must be a 64-bit integer");
        }
        return value.longValue();
    }

    public static int small(JsonNode trial, String name) {
        long value = integer(trial, name);
        if (value != (int) value) {
            throw new BadTrial("the field " + name + " must be a 32-bit integer");
        }
        return (int) value;
    }

    public static double number(JsonNode trial, String name) {
        JsonNode value = field(trial, name);
        if (!value.isNumber()) {
            throw new BadTrial("the field " + name + " must be a number");
        }
        return value.doubleValue();
    }

    public static boolean flag(JsonNode trial, String name) {
        JsonNode value = field(trial, name);
        if (!value.isBoolean()) {
            throw new BadTrial("the field " + name + " must be true or false");
        }
        return value.booleanValue();
    }

    public static JsonNode list(JsonNode trial, String name) {
        JsonNode value = field(trial, name);
        if (!value.isArray()) {
            throw new BadTrial("the field " + name + " must be an array");
        }
        return value;
    }

    /** A fresh, mutable list of 64-bit integers. */
    public static List<Long> integers(JsonNode trial, String name) {
        JsonNode value = list(trial, name);
        List<Long> result = new ArrayList<>(value.size());
        for (JsonNode item : value) {
            result.add(wide(item, name));
        }
        return result;
    }

    /** A fresh, mutable list of strings. */
    public static List<String> texts(JsonNode trial, String name) {
        JsonNode value = list(trial, name);
        List<String> result = new ArrayList<>(value.size());
        for (JsonNode item : value) {
            if (!item.isTextual()) {
                throw new BadTrial("the field " + name + " must be an array of strings");
            }
            result.add(item.textValue());
        }
        return result;
    }

    public static ArrayNode arrayOf(Collection<Long> values) {
        ArrayNode result = array();
        values.forEach(result::add);
        return result;
    }

    /** A span of hashes as the protocol writes it. */
    public static ObjectNode span(long lower, long upper, boolean upperIncluded) {
        return object().put("lower", lower).put("upper", upper).put("upper_included", upperIncluded);
    }
}
