package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import org.apache.bookkeeper.common.util.OrderedExecutor;

/** BookKeeper's executor without its threads: runs at once. */
public final class InlineOrderedExecutor extends OrderedExecutor {
    private InlineOrderedExecutor() {
        super("never called", 0, null, null, false, false, 0, 0, false, false);
    }

    static InlineOrderedExecutor create() {
        return Private.allocate(InlineOrderedExecutor.class);
    }

    @Override
    public void execute(Runnable command) {
        command.run();
    }
}
