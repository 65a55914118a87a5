package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;

/**
 * {@code throttling.entries_for_bytes}: {@link Estimates}, which every read of a dispatcher goes through, of a cursor
 * that reads at the trial's position of the trial's ledgers.
 */
public final class EntriesForBytesQuestion implements Question {
    private final Estimates estimates = new Estimates();

    @Override
    public JsonNode answer(JsonNode trial) {
        estimates.ledgers.clear();
        JsonNode told = Json.list(trial, "ledgers");
        int last = told.size() - 1;
        for (int index = 0; index <= last; index++) {
            long entries = Json.integer(told.get(index), "entries");
            long bytes = Json.integer(told.get(index), "bytes");
            if (index == last && Json.flag(trial, "writable")) {
                estimates.ledgers.addWritten(index, entries, bytes);
            } else {
                estimates.ledgers.addClosed(index, entries, bytes);
            }
        }
        JsonNode position = Json.field(trial, "position");
        int entries = estimates.entries(Positions.of(Json.integer(position, "ledger"), Json.integer(position, "entry")),
                Json.small(trial, "max_entries"), Json.integer(trial, "max_bytes"));
        return Json.object().put("entries", entries);
    }
}
