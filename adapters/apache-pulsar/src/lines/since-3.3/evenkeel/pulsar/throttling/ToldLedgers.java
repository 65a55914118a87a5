package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;

/**
 * A managed ledger that was never opened: it only says which ledgers it consists of. As in Pulsar, the ledger that is
 * still written to is listed without entries, and its entries and bytes are told apart.
 */
final class ToldLedgers extends ManagedLedgerImpl {
    private NavigableMap<Long, Object> listed;
    private LedgerHandle written;
    private long writtenEntries;
    private long writtenBytes;

    private ToldLedgers() {
        super(null, null, null, null, null, null);
    }

    static ToldLedgers create() {
        ToldLedgers ledgers = Private.allocate(ToldLedgers.class);
        ledgers.clear();
        return ledgers;
    }

    void clear() {
        listed = new TreeMap<>();
        Private.set(ManagedLedgerImpl.class, this, "ledgers", listed);
        written = null;
        writtenEntries = 0;
        writtenBytes = 0;
    }

    /** A ledger that is no longer written to. */
    void addClosed(long id, long entries, long bytes) {
        listed.put(id, LedgerRecord.of(id, entries, bytes));
    }

    /** The ledger that is written to. */
    void addWritten(long id, long entries, long bytes) {
        listed.put(id, LedgerRecord.of(id, 0, 0));
        written = Private.allocate(LedgerHandle.class);
        Private.set(LedgerHandle.class, written, "ledgerId", id);
        writtenEntries = entries;
        writtenBytes = bytes;
    }

    @Override
    public LedgerHandle getCurrentLedger() {
        return written;
    }

    @Override
    public long getCurrentLedgerEntries() {
        return writtenEntries;
    }

    @Override
    public long getCurrentLedgerSize() {
        return writtenBytes;
    }
}
