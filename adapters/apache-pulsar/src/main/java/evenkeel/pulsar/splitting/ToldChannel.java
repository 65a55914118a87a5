package evenkeel.pulsar.splitting;

import evenkeel.pulsar.Private;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerImpl;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateChannel;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;

/** A channel that says who owns and what is being split as the trial says it; splits go nowhere. */
final class ToldChannel {
    private static final ServiceUnitStateData SPLITTING =
            new ServiceUnitStateData(ServiceUnitState.Splitting, null, "broker", Map.of("child", Optional.empty()), 1);

    private final ServiceUnitStateChannel channel;
    private Set<String> owned = Set.of();
    private Map<String, ServiceUnitStateData> entries = Map.of();

    ToldChannel() {
        channel = (ServiceUnitStateChannel) Proxy.newProxyInstance(ServiceUnitStateChannel.class.getClassLoader(),
                new Class<?>[] {ServiceUnitStateChannel.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "isOwner":
                            return owned.contains((String) arguments[0]);
                        case "getOwnershipEntrySet":
                            return entries.entrySet();
                        case "publishSplitEventAsync":
                            return CompletableFuture.completedFuture(null);
                        default:
                            throw new UnsupportedOperationException("the stand-in channel has no " + method.getName());
                    }
                });
    }

    ServiceUnitStateChannel channel() {
        return channel;
    }

    /** An extensible load manager that asks this channel. */
    ExtensibleLoadManagerWrapper manager() {
        ExtensibleLoadManagerImpl manager = new ExtensibleLoadManagerImpl();
        Private.set(ExtensibleLoadManagerImpl.class, manager, "serviceUnitStateChannel", channel);
        return new ExtensibleLoadManagerWrapper(manager);
    }

    void set(Set<String> ownedBundles, List<String> splittingBundles) {
        owned = ownedBundles;
        entries = new LinkedHashMap<>();
        splittingBundles.forEach(bundle -> entries.put(bundle, SPLITTING));
    }
}
