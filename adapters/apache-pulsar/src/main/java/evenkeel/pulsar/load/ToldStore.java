package evenkeel.pulsar.load;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.loadbalance.extensions.store.LoadDataStore;

/** A store of load data that notes what is asked of it, and fails where it is told to. */
final class ToldStore {
    private boolean fails;
    private Object pushed;
    private boolean removed;

    void tell(boolean toFail) {
        fails = toFail;
        pushed = null;
        removed = false;
    }

    boolean wasPushed() {
        return pushed != null;
    }

    Object pushed() {
        return pushed;
    }

    boolean wasRemoved() {
        return removed;
    }

    /** The store as Pulsar sees it. */
    @SuppressWarnings("unchecked")
    <T> LoadDataStore<T> proxy() {
        return (LoadDataStore<T>) Proxy.newProxyInstance(ToldStore.class.getClassLoader(),
                new Class<?>[] {LoadDataStore.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "pushAsync" -> pushed = arguments[1];
                        case "removeAsync" -> removed = true;
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return fails ? CompletableFuture.failedFuture(new IOException("the store fails"))
                            : CompletableFuture.completedFuture(null);
                });
    }
}
