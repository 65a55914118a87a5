package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.util.TreeMap;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.EvenkeelAccess;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;

/**
 * {@code throttling.entries_for_bytes}: the managed ledger's own estimator over the ledgers of the trial. Without a
 * limit ({@code max_bytes} -1) the cursor does not ask it, and with one it caps the answer at what was wanted
 * ({@code ManagedCursorImpl.applyMaxSizeCap}); both are done here.
 */
public final class EntriesForBytesQuestion implements Question {
    private static final long UNLIMITED = -1;

    @Override
    public JsonNode answer(JsonNode trial) {
        int most = Json.small(trial, "max_entries");
        long bytes = Json.integer(trial, "max_bytes");
        if (bytes == UNLIMITED) {
            return Json.object().put("entries", most);
        }
        JsonNode ledgers = Json.list(trial, "ledgers");
        long last = ledgers.size() - 1;
        boolean writable = Json.flag(trial, "writable");
        TreeMap<Long, LedgerInfo> closed = new TreeMap<>();
        for (long index = 0; index <= last; index++) {
            JsonNode ledger = ledgers.get((int) index);
            boolean current = writable && index == last;
            closed.put(index, LedgerInfo.newBuilder().setLedgerId(index)
                    .setEntries(current ? 0 : Json.integer(ledger, "entries"))
                    .setSize(current ? 0 : Json.integer(ledger, "bytes")).build());
        }
        JsonNode newest = ledgers.get((int) last);
        int entries = EvenkeelAccess.entries(most, bytes, position(Json.field(trial, "position")), closed,
                writable ? last : null, Json.integer(newest, "entries"), Json.integer(newest, "bytes"));
        return Json.object().put("entries", Math.min(entries, most));
    }

    private static Position position(JsonNode position) {
        return PositionFactory.create(Json.integer(position, "ledger"), Json.integer(position, "entry"));
    }
}
