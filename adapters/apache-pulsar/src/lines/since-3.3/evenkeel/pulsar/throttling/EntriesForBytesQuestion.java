package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Question;
import java.util.NoSuchElementException;
import org.apache.bookkeeper.mledger.Position;

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
        JsonNode begin = Json.field(trial, "position");
        Position position = Positions.of(Json.integer(begin, "ledger"), Json.integer(begin, "entry"));
        return Json.object().put("entries", entries(trial, position, told.size() == 0));
    }

    /** Before #25177 an estimate without ledgers breaks: a defect, which no edition has. */
    private int entries(JsonNode trial, Position position, boolean trimmed) {
        try {
            return estimates.entries(position, Json.small(trial, "max_entries"), Json.integer(trial, "max_bytes"));
        } catch (NoSuchElementException without) {
            if (trimmed) {
                throw new NotHere("an estimate without ledgers breaks (#25174)");
            }
            throw without;
        }
    }
}
