package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.Told;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntriesCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;

/**
 * A cursor over the entries of one topic, in memory. As in Pulsar a read asks for as many entries as the bytes may
 * hold, brings what is there when it comes back, and moves the cursor then; one that finds nothing waits, and only
 * such a read can be cancelled. A read comes back when a command says so.
 */
final class LoopCursor {
    /** A read that was asked for; {@code positions} of a replay. */
    record Asked(int entries, long bytes, ReadEntriesCallback callback, Object context, List<Long> positions) {
    }

    final ManagedCursor asManagedCursor;
    private final StoredTopic topic;
    private long next;
    private long markedDeleted = -1;
    /** What is acknowledged behind that, too: no read brings it. */
    private final Set<Long> deleted = new HashSet<>();
    private boolean awake;
    private boolean active;
    private long capBytes;
    private boolean rewound;
    private Asked asked;
    private Asked normal;
    private Asked replay;

    LoopCursor(StoredTopic topic) {
        this.topic = topic;
        asManagedCursor = Told.only(ManagedCursor.class, Map.<String, Function<Object[], ?>>ofEntries(
                Map.entry("getName", none -> "cursor"),
                Map.entry("isClosed", none -> !awake),
                Map.entry("isActive", none -> active),
                Map.entry("getLastIndividualDeletedRange", none -> null),
                Map.entry("getReadPosition", none -> position(next)),
                Map.entry("hasMoreEntries", none -> next < topic.size()),
                Map.entry("getDeletedBatchIndexesAsLongArray", position -> null),
                Map.entry("getMarkDeletedPosition", none -> position(markedDeleted)),
                Map.entry("getNumberOfEntriesSinceFirstNotAckedMessage", none -> next - markedDeleted),
                Map.entry("getManagedLedger", none -> ledger()),
                Map.entry("rewind", compacted -> rewind()),
                Map.entry("applyMaxSizeCap", most -> cap((Integer) most[0], (Long) most[1])),
                Map.entry("cancelPendingReadRequest", none -> cancel()),
                // Until 4.0.6 an exclusive subscription asks so.
                Map.entry("asyncReadEntriesOrWait", this::read),
                Map.entry("asyncReadEntriesWithSkipOrWait", this::read),
                Map.entry("asyncReplayEntries", this::replay)));
    }

    private static Position position(long entry) {
        return Positions.of(0, entry);
    }

    private ManagedLedgerImpl ledger() {
        Private.set(ManagedLedgerImpl.class, topic.estimates.ledgers, "lastConfirmedEntry", position(topic.size() - 1));
        return topic.estimates.ledgers;
    }

    private Void rewind() {
        next = markedDeleted + 1;
        rewound = true;
        return null;
    }

    private int cap(int entries, long bytes) {
        capBytes = bytes;
        return topic.estimates.entries(position(next), entries, bytes);
    }

    private boolean cancel() {
        boolean waits = normal != null && waits(normal);
        if (waits) {
            normal = null;
        }
        return waits;
    }

    private Void read(Object[] arguments) {
        long bytes = (Long) arguments[1];
        normal = new Asked(cap((Integer) arguments[0], bytes), bytes, (ReadEntriesCallback) arguments[2],
                arguments[3], null);
        asked = normal;
        return null;
    }

    private Set<Position> replay(Object[] arguments) {
        List<Long> positions = new ArrayList<>();
        ((Set<?>) arguments[0]).forEach(position -> positions.add(((Position) position).getEntryId()));
        replay = new Asked(positions.size(), capBytes, (ReadEntriesCallback) arguments[1], arguments[2], positions);
        asked = replay;
        // None of them is acknowledged: what is to be delivered again never is (acknowledge).
        return Set.of();
    }

    /** How many bytes a read may bring, where the cursor is not asked how many entries that are. */
    void limit(long bytes) {
        capBytes = bytes;
    }

    /** Lets a dispatcher read: at all other times it finds the cursor closed, and does not read by itself. */
    void during(Runnable step) {
        boolean before = awake;
        awake = true;
        step.run();
        awake = before;
    }

    /** Lets a dispatcher ask for reads at all times. */
    void open() {
        awake = true;
    }

    /** The read that was asked for since this was last called, or null. */
    Asked takeAsked() {
        Asked taken = asked;
        asked = null;
        return taken;
    }

    Asked outstanding(boolean again) {
        return again ? replay : normal;
    }

    /** Whether an outstanding read finds nothing, and so does not come back. */
    boolean waits(Asked read) {
        return read.positions() == null && left().findAny().isEmpty();
    }

    private Stream<Long> left() {
        return LongStream.range(next, topic.size()).filter(entry -> !deleted.contains(entry)).boxed();
    }

    /** An outstanding read comes back. The first entry that came; null if the cursor was rewound: it was dropped. */
    Long complete(boolean again) {
        Asked read = outstanding(again);
        List<Long> entries = read.positions();
        if (again) {
            replay = null;
        } else {
            entries = left().limit(read.entries()).toList();
            normal = null;
            next = entries.get(entries.size() - 1) + 1;
        }
        rewound = false;
        read.callback().readEntriesComplete(topic.read(entries), read.context());
        return rewound ? null : entries.get(0);
    }

    /** All that was read is acknowledged, before this entry; whether some of it was not before. */
    boolean acknowledge(long end) {
        long before = markedDeleted;
        markedDeleted = Math.max(markedDeleted, Math.min(end, next) - 1);
        return markedDeleted > before;
    }

    /** One entry is acknowledged. */
    void acknowledgeOne(long entry) {
        deleted.add(entry);
    }

    void setActive(boolean isActive) {
        active = isActive;
    }
}
