package evenkeel.pulsar.standin;

import com.google.common.util.concurrent.MoreExecutors;
import evenkeel.pulsar.Private;
import java.util.concurrent.ExecutorService;
import org.apache.bookkeeper.common.util.OrderedExecutor;

/** BookKeeper's executor without its threads: runs at once. */
public final class InlineOrderedExecutor extends OrderedExecutor {
    private static final ExecutorService AT_ONCE = MoreExecutors.newDirectExecutorService();

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

    @Override
    public void executeOrdered(Object key, Runnable command) {
        command.run();
    }

    @Override
    public ExecutorService chooseThread() {
        return AT_ONCE;
    }

    @Override
    public ExecutorService chooseThread(Object key) {
        return AT_ONCE;
    }
}
