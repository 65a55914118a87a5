package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;

/**
 * {@code throttling.entries_for_bytes}: {@link ManagedCursorImpl#applyMaxSizeCap}, which every read of a dispatcher
 * goes through. Until 3.0 it goes by average sizes alone: of what the ledger says was published, or else of what the
 * cursor has read.
 */
public final class EntriesForBytesQuestion implements Question {
    private final ToldSizes sizes = ToldSizes.create();
    private final ManagedCursorImpl cursor = Private.allocate(ManagedCursorImpl.class);

    public EntriesForBytesQuestion() {
        Private.set(ManagedCursorImpl.class, cursor, "ledger", sizes);
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        JsonNode published = Json.field(trial, "publish_size");
        sizes.tell(published.isNull() ? Double.NaN : Json.integer(trial, "publish_size"));
        boolean hasRead = !Json.field(trial, "dispatch_size").isNull();
        Private.set(ManagedCursorImpl.class, cursor, "entriesReadCount", hasRead ? 1L : 0L);
        Private.set(ManagedCursorImpl.class, cursor, "entriesReadSize",
                hasRead ? Json.integer(trial, "dispatch_size") : 0L);
        int entries = cursor.applyMaxSizeCap(Json.small(trial, "max_entries"), Json.integer(trial, "max_bytes"));
        return Json.object().put("entries", entries);
    }
}
