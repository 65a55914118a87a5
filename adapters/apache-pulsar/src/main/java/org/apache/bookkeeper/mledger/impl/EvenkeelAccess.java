package org.apache.bookkeeper.mledger.impl;

import java.util.NavigableMap;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;

/** Doors to what the managed ledger shows only to its own package. */
public final class EvenkeelAccess {
    private EvenkeelAccess() {
    }

    /**
     * {@link EntryCountEstimator}: the entries of a read of so many bytes. The ledger that is written to has its
     * entries and bytes in the last two arguments; {@code current} is null if there is none.
     */
    public static int entries(int most, long bytes, Position position, NavigableMap<Long, LedgerInfo> ledgers,
                              Long current, long currentEntries, long currentBytes) {
        return EntryCountEstimator.internalEstimateEntryCountByBytesSize(
                most, bytes, position, ledgers, current, currentEntries, currentBytes);
    }
}
