package evenkeel.pulsar.throttling;

import evenkeel.pulsar.standin.Told;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntriesCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;

/**
 * A replicator's cursor, in memory. A read brings what is there when it comes back, without what was deleted, and
 * moves the cursor then; one that finds nothing waits, and only such a read can be called off.
 */
final class ReplicatedCursor {
    /** A read that was asked for. */
    private record Asked(int entries, ReadEntriesCallback callback, Object context) {
    }

    final ManagedCursor asManagedCursor;
    /** How many entries each read asked for. */
    final List<Integer> reads = new ArrayList<>();
    private final StoredTopic topic;
    private final Set<Long> deleted = new HashSet<>();
    private long next;
    private Asked asked;

    ReplicatedCursor(StoredTopic topic) {
        this.topic = topic;
        asManagedCursor = Told.only(ManagedCursor.class, Map.<String, Function<Object[], ?>>of(
                "getName", none -> "pulsar.repl.there",
                "setActive", none -> null,
                "getManagedLedger", none -> null,
                "getReadPosition", none -> Positions.of(0, next),
                "rewind", none -> rewind(),
                "cancelPendingReadRequest", none -> cancel(),
                "asyncReadEntriesOrWait", this::read,
                "asyncDelete", position -> {
                    deleted.add(((Position) position[0]).getEntryId());
                    return null;
                }));
    }

    private Void rewind() {
        next = LongStream.range(0, topic.size()).filter(entry -> !deleted.contains(entry)).findFirst()
                .orElse(topic.size());
        return null;
    }

    private boolean cancel() {
        boolean waits = asked != null && there().isEmpty();
        if (waits) {
            asked = null;
        }
        return waits;
    }

    private Void read(Object[] arguments) {
        if (asked != null) {
            throw new IllegalStateException("a read is asked for while one is under way");
        }
        asked = new Asked((Integer) arguments[0], (ReadEntriesCallback) arguments[2], arguments[3]);
        reads.add(asked.entries());
        return null;
    }

    private List<Long> there() {
        return LongStream.range(next, topic.size()).filter(entry -> !deleted.contains(entry)).limit(asked.entries())
                .boxed().toList();
    }

    /** Whether a read is under way that finds something. */
    boolean finds() {
        return asked != null && !there().isEmpty();
    }

    /** The read under way comes back. */
    void complete() {
        Asked read = asked;
        List<Long> entries = there();
        asked = null;
        next = entries.get(entries.size() - 1) + 1;
        read.callback().readEntriesComplete(topic.read(entries), read.context());
    }

    /** The read under way fails, as bookies that are asked too much let one fail. */
    void fail() {
        Asked read = asked;
        asked = null;
        read.callback().readEntriesFailed(new ManagedLedgerException.TooManyRequestsException("asked too much"),
                read.context());
    }
}
