package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;

/** {@link ManagedCursorImpl#applyMaxSizeCap} of a cursor that reads at a position of told ledgers. */
final class Estimates {
    final ToldLedgers ledgers = ToldLedgers.create();
    private final ManagedCursorImpl cursor = Private.allocate(ManagedCursorImpl.class);

    Estimates() {
        Private.set(ManagedCursorImpl.class, cursor, "ledger", ledgers);
    }

    /** How many entries a read at the position is taken to have. */
    int entries(Position position, int maxEntries, long maxBytes) {
        Private.set(ManagedCursorImpl.class, cursor, "readPosition", position);
        return cursor.applyMaxSizeCap(maxEntries, maxBytes);
    }
}
