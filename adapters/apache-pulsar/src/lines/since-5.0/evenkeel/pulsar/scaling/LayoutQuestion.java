package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Question;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;

/** {@code scaling.layout}: {@link SegmentLayout}, from the metadata of a new topic on. */
public final class LayoutQuestion implements Question {
    private SegmentLayout layout;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        layout = Layouts.initial(trial, 0);
        return CommandList.answer(trial, this::perform);
    }

    private JsonNode perform(String command, JsonNode arguments) {
        if (!command.equals("read")) {
            layout = Layouts.changed(layout, command, arguments);
        }
        return Layouts.shown(layout);
    }
}
