package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import java.util.List;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.pulsar.broker.service.EntryBatchSizes;

/** What a command showed of the subscription that is named last. */
final class LoopEvents {
    private ArrayNode events;
    private int subscription;
    private boolean again;

    /** A new command. */
    void begin() {
        events = Json.array();
    }

    /** What follows is of this subscription, and what it is delivered came of a replay or not. */
    void of(int number, boolean byReplay) {
        subscription = number;
        again = byReplay;
    }

    JsonNode seen() {
        return Json.object().put("do", "seen").set("events", events);
    }

    private ObjectNode add(String event) {
        return events.addObject().put("do", event).put("subscription", subscription);
    }

    void issued(LoopCursor.Asked read) {
        add("read_issued").put("replay", read.positions() != null).put("entries", read.entries())
                .put("quota_bytes", read.bytes());
    }

    void blocked(long millis) {
        add("blocked").put("reread_at", millis);
    }

    void ignored(String reason) {
        add("ignored").put("reason", reason);
    }

    /** Entries went to the consumer; several turns of one read are one delivery. */
    void delivered(List<? extends Entry> entries, EntryBatchSizes messages) {
        ObjectNode delivery = last("delivered");
        if (delivery == null) {
            delivery = add("delivered").put("again", again).put("messages", 0L).put("bytes", 0L);
            delivery.putArray("entries");
        }
        for (int index = 0; index < entries.size(); index++) {
            Entry entry = entries.get(index);
            if (entry == null) {
                continue;  // A classic dispatcher leaves a gap where it keeps an entry for later.
            }
            delivery.withArray("entries").add(entry.getEntryId());
            delivery.put("messages", delivery.get("messages").longValue() + messages.getBatchSize(index));
            delivery.put("bytes", delivery.get("bytes").longValue() + entry.getLength());
        }
    }

    /** A level was charged, if with anything; equal charges of several levels, one after the other, are one. */
    void charged(String level, long units, long bytes) {
        if (units == 0 && bytes == 0) {
            return;
        }
        ObjectNode charge = last("charged");
        if (charge == null || charge.get("units").longValue() != units || charge.get("bytes").longValue() != bytes
                || isIn(charge, level)) {
            charge = add("charged").put("units", units).put("bytes", bytes);
            charge.putArray("levels");
        }
        charge.withArray("levels").add(level);
    }

    private static boolean isIn(ObjectNode charge, String level) {
        for (JsonNode other : charge.get("levels")) {
            if (other.textValue().equals(level)) {
                return true;
            }
        }
        return false;
    }

    /** The last event, if it is one of these. */
    private ObjectNode last(String event) {
        JsonNode last = events.get(events.size() - 1);
        return last != null && last.get("do").textValue().equals(event) ? (ObjectNode) last : null;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }
}
