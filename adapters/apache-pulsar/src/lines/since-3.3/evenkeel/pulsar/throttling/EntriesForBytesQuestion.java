package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;

/**
 * {@code throttling.entries_for_bytes}: {@link ManagedCursorImpl#applyMaxSizeCap}, which every read of a dispatcher
 * goes through, of a cursor that reads at the trial's position of the trial's ledgers.
 */
public final class EntriesForBytesQuestion implements Question {
    private final ToldLedgers ledgers = ToldLedgers.create();
    private final ManagedCursorImpl cursor = Private.allocate(ManagedCursorImpl.class);

    public EntriesForBytesQuestion() {
        Private.set(ManagedCursorImpl.class, cursor, "ledger", ledgers);
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        ledgers.clear();
        JsonNode told = Json.list(trial, "ledgers");
        int last = told.size() - 1;
        for (int index = 0; index <= last; index++) {
            long entries = Json.integer(told.get(index), "entries");
            long bytes = Json.integer(told.get(index), "bytes");
            if (index == last && Json.flag(trial, "writable")) {
                ledgers.addWritten(index, entries, bytes);
            } else {
                ledgers.addClosed(index, entries, bytes);
            }
        }
        Private.set(ManagedCursorImpl.class, cursor, "readPosition", position(Json.field(trial, "position")));
        int entries = cursor.applyMaxSizeCap(Json.small(trial, "max_entries"), Json.integer(trial, "max_bytes"));
        return Json.object().put("entries", entries);
    }

    private static Position position(JsonNode position) {
        return Positions.of(Json.integer(position, "ledger"), Json.integer(position, "entry"));
    }
}
