package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import java.lang.reflect.Proxy;
import org.apache.bookkeeper.mledger.ManagedLedgerMXBean;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;

/** A managed ledger that was never opened: it only says how large an entry was on average that it was given. */
final class ToldSizes extends ManagedLedgerImpl {
    private double average;
    private ManagedLedgerMXBean statistics;

    private ToldSizes() {
        super(null, null, null, null, null, null);
    }

    static ToldSizes create() {
        ToldSizes sizes = Private.allocate(ToldSizes.class);
        sizes.statistics = (ManagedLedgerMXBean) Proxy.newProxyInstance(ToldSizes.class.getClassLoader(),
                new Class<?>[] {ManagedLedgerMXBean.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getEntrySizeAverage")) {
                        throw new UnsupportedOperationException("statistics were asked to " + method.getName());
                    }
                    return sizes.average;
                });
        return sizes;
    }

    /** The average size in bytes; not a number if nothing was published. */
    void tell(double given) {
        average = given;
    }

    @Override
    public ManagedLedgerMXBean getStats() {
        return statistics;
    }
}
