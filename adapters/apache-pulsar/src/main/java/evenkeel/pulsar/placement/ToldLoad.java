package evenkeel.pulsar.placement;

import evenkeel.pulsar.Private;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLoadData;
import org.apache.pulsar.broker.loadbalance.extensions.store.LoadDataStore;

/** The brokers' load data, as the trial tells it. */
final class ToldLoad {
    private final Map<String, BrokerLoadData> byBroker = new HashMap<>();

    void clear() {
        byBroker.clear();
    }

    /** A broker's averaged usage and its topics. */
    void tell(String broker, double usage, long topics) {
        BrokerLoadData data = new BrokerLoadData();
        Private.set(BrokerLoadData.class, data, "weightedMaxEMA", usage);
        Private.setWhole(BrokerLoadData.class, data, "topics", topics);
        byBroker.put(broker, data);
    }

    @SuppressWarnings("unchecked")
    LoadDataStore<BrokerLoadData> store() {
        return (LoadDataStore<BrokerLoadData>) Proxy.newProxyInstance(LoadDataStore.class.getClassLoader(),
                new Class<?>[] {LoadDataStore.class}, (self, method, arguments) -> {
                    if (!method.getName().equals("get")) {
                        throw new UnsupportedOperationException("the stand-in store has no " + method.getName());
                    }
                    return Optional.ofNullable(byBroker.get((String) arguments[0]));
                });
    }
}
