package evenkeel.pulsar.splitting;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.loadbalance.extensions.manager.SplitManager;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitDecision;

/** A split manager that notes the splits it is to wait for, and does not wait. */
final class RequestedSplits extends SplitManager {
    private final List<SplitDecision> decisions = new ArrayList<>();

    RequestedSplits() {
        super(new SplitCounter());
    }

    void clear() {
        decisions.clear();
    }

    List<SplitDecision> decisions() {
        return decisions;
    }

    @Override
    public CompletableFuture<Void> waitAsync(CompletableFuture<Void> eventPubFuture, String bundle,
                                             SplitDecision decision, long timeout, TimeUnit timeoutUnit) {
        decisions.add(decision);
        return eventPubFuture;
    }
}
