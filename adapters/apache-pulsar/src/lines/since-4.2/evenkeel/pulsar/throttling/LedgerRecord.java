package evenkeel.pulsar.throttling;

import org.apache.bookkeeper.mledger.proto.ManagedLedgerInfo.LedgerInfo;

/** What a managed ledger keeps of one of its ledgers: LightProto's class since 4.2. */
final class LedgerRecord {
    private LedgerRecord() {
    }

    static Object of(long id, long entries, long bytes) {
        return new LedgerInfo().setLedgerId(id).setEntries(entries).setSize(bytes);
    }
}
