package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;

/** What a managed ledger keeps of one of its ledgers: protobuf's class until 4.0. */
final class LedgerRecord {
    private LedgerRecord() {
    }

    static Object of(long id, long entries, long bytes) {
        return LedgerInfo.newBuilder().setLedgerId(id).setEntries(entries).setSize(bytes).build();
    }
}
