package evenkeel.pulsar.ownership;

import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;
import org.apache.pulsar.broker.loadbalance.extensions.manager.SplitManager;
import org.apache.pulsar.broker.loadbalance.extensions.manager.StateChangeListener;
import org.apache.pulsar.broker.loadbalance.extensions.manager.UnloadManager;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.SplitDecision;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadCounter;
import org.apache.pulsar.broker.loadbalance.extensions.models.UnloadDecision;

/** Unloads or splits that were written down and whose end Pulsar's manager awaits. */
final class WaitingManagers implements WaitingDesk {
    private static final List<String> BUNDLES =
            List.of("tenant/namespace/0x00000000_0x80000000", "tenant/namespace/0x80000000_0xffffffff");
    private static final String BROKER = "broker:8080";
    private static final Map<String, Optional<String>> CHILDREN = Map.of("child", Optional.empty());

    private final StateChangeListener manager;
    private final long limit = new ServiceConfiguration().getNamespaceBundleUnloadingTimeoutMs();

    private WaitingManagers(StateChangeListener manager) {
        this.manager = manager;
    }

    static WaitingManagers unloads() throws ReflectiveOperationException {
        Constructor<?> make = UnloadManager.class.getConstructors()[0];
        UnloadCounter counter = new UnloadCounter();
        // Until 3.0 it does not know its broker.
        return new WaitingManagers((UnloadManager) (make.getParameterCount() == 1
                ? make.newInstance(counter) : make.newInstance(counter, BROKER)));
    }

    static WaitingManagers splits() {
        return new WaitingManagers(new SplitManager(new SplitCounter()));
    }

    @Override
    public CompletableFuture<Boolean> ask(int bundle) {
        CompletableFuture<Void> published = CompletableFuture.completedFuture(null);
        return wait(published, BUNDLES.get(bundle)).thenApply(done -> true);
    }

    private CompletableFuture<Void> wait(CompletableFuture<Void> published, String bundle) {
        if (manager instanceof UnloadManager unloads) {
            UnloadDecision decision = new UnloadDecision();
            decision.succeed(UnloadDecision.Reason.Admin);
            return unloads.waitAsync(published, bundle, decision, limit, TimeUnit.MILLISECONDS);
        }
        SplitDecision decision = new SplitDecision();
        decision.succeed(SplitDecision.Reason.Admin);
        return ((SplitManager) manager).waitAsync(published, bundle, decision, limit, TimeUnit.MILLISECONDS);
    }

    /** An unload ends as the bundle is free, a split as its parent has no record any more. */
    @Override
    public void end(int bundle, boolean fails) {
        boolean splits = manager instanceof SplitManager;
        ServiceUnitStateData begun = splits
                ? new ServiceUnitStateData(ServiceUnitState.Splitting, null, BROKER, CHILDREN, 1)
                : new ServiceUnitStateData(ServiceUnitState.Releasing, null, BROKER, 1);
        ServiceUnitStateData done = splits ? null : new ServiceUnitStateData(ServiceUnitState.Free, null, BROKER, 2);
        manager.handleEvent(BUNDLES.get(bundle), fails ? begun : done,
                fails ? new IllegalStateException("it failed") : null);
    }

    @Override
    public void start() {
        // It has.
    }

    @Override
    public long limit() {
        return limit;
    }
}
