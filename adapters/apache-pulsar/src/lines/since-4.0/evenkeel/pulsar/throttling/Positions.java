package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.PositionFactory;

/** Positions in a managed ledger: made by a factory since 4.0. */
final class Positions {
    private Positions() {
    }

    static Position of(long ledger, long entry) {
        return PositionFactory.create(ledger, entry);
    }
}
