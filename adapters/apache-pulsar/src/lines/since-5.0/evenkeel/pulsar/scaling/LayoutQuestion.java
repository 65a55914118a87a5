package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;

/** {@code scaling.layout}: {@link SegmentLayout}, from the metadata of a new topic on. */
public final class LayoutQuestion implements Question {
    private SegmentLayout layout;
    private int most;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        most = Json.small(trial, "max_buckets");
        layout = Layouts.initial(trial, 0, Json.small(trial, "budget"), most);
        return CommandList.answer(trial, this::perform);
    }

    private JsonNode perform(String command, JsonNode arguments) {
        if (!command.equals("read")) {
            layout = Layouts.changed(layout, command, arguments, most);
        }
        return Layouts.shown(layout);
    }
}
