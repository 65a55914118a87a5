package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.pulsar.broker.service.AbstractBaseDispatcher;

/** {@code throttling.throttled}: what Pulsar's dispatchers count while they find out how much to read. */
public final class ThrottledQuestion implements Question {
    private final ReadLimitsQuestion reading = new ReadLimitsQuestion();

    /** Whether this line of Pulsar counts. */
    public static boolean isThere() {
        return Arrays.stream(AbstractBaseDispatcher.class.getDeclaredFields())
                .anyMatch(field -> field.getName().equals(counter("Msg", "Broker")));
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        AbstractBaseDispatcher dispatcher = reading.dispatcher(trial);
        reading.answer(trial);
        ObjectNode answer = Json.object();
        for (String level : new String[] {"Broker", "Topic", "Subscription"}) {
            answer.putObject(level.toLowerCase(java.util.Locale.ROOT))
                    .put("messages", taken(dispatcher, counter("Msg", level)))
                    .put("bytes", taken(dispatcher, counter("Bytes", level)));
        }
        return answer;
    }

    private static long taken(AbstractBaseDispatcher dispatcher, String counter) {
        LongAdder events = Private.get(AbstractBaseDispatcher.class, dispatcher, counter);
        return events.sumThenReset();
    }

    private static String counter(String unit, String level) {
        return "dispatchThrottled" + unit + "EventsBy" + level + "Limit";
    }
}
