package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.PositionImpl;

/** Positions in a managed ledger: a class of their own until 3.3. */
final class Positions {
    private Positions() {
    }

    static Position of(long ledger, long entry) {
        return PositionImpl.get(ledger, entry);
    }
}
