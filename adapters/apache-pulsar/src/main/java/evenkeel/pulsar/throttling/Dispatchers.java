package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.service.AbstractBaseDispatcher;
import org.apache.pulsar.broker.service.AbstractDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.Consumer;
import org.apache.pulsar.broker.service.EntryFilterSupport;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherSingleActiveConsumer;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.common.api.proto.CommandSubscribe.SubType;

/** Dispatchers that were never started. */
final class Dispatchers {
    private Dispatchers() {
    }

    /** A dispatcher of many consumers with nothing but its topic, and no limiter yet. */
    static PersistentDispatcherMultipleConsumers unstarted(PersistentTopic topic) {
        PersistentDispatcherMultipleConsumers dispatcher =
                Private.allocate(PersistentDispatcherMultipleConsumers.class);
        Private.set(PersistentDispatcherMultipleConsumers.class, dispatcher, "topic", topic);
        Private.set(PersistentDispatcherMultipleConsumers.class, dispatcher, "dispatchRateLimiter", Optional.empty());
        return dispatcher;
    }

    /** The same with its broker's configuration, a subscription of its topic, and one consumer. */
    static PersistentDispatcherMultipleConsumers shared(ThrottledBroker broker, Consumer consumer) {
        PersistentDispatcherMultipleConsumers dispatcher = unstarted(broker.topic);
        complete(dispatcher, broker);
        Private.set(AbstractDispatcherMultipleConsumers.class, dispatcher, "consumerList",
                new CopyOnWriteArrayList<>(new Consumer[] {consumer}));
        return dispatcher;
    }

    /** A dispatcher of one active consumer, which is given with every call. */
    static PersistentDispatcherSingleActiveConsumer exclusive(ThrottledBroker broker) {
        PersistentDispatcherSingleActiveConsumer dispatcher =
                Private.allocate(PersistentDispatcherSingleActiveConsumer.class);
        Private.set(PersistentDispatcherSingleActiveConsumer.class, dispatcher, "topic", broker.topic);
        complete(dispatcher, broker);
        return dispatcher;
    }

    private static void complete(AbstractBaseDispatcher dispatcher, ThrottledBroker broker) {
        Private.set(AbstractBaseDispatcher.class, dispatcher, "serviceConfig", broker.config);
        // The counters of what was held back, by unit and level; there are none until 3.3.
        for (Field field : AbstractBaseDispatcher.class.getDeclaredFields()) {
            if (field.getType() == LongAdder.class && field.getName().startsWith("dispatchThrottled")) {
                Private.set(AbstractBaseDispatcher.class, dispatcher, field.getName(), new LongAdder());
            }
        }
        Private.set(EntryFilterSupport.class, dispatcher, "subscription", subscription(broker.topic));
    }

    /** A subscription of a topic, and nothing else. */
    static PersistentSubscription subscription(PersistentTopic topic) {
        PersistentSubscription subscription = Private.allocate(PersistentSubscription.class);
        Private.set(PersistentSubscription.class, subscription, "topic", topic);
        Private.set(PersistentSubscription.class, subscription, "topicName", topic.getName());
        return subscription;
    }

    /** A consumer of a subscription, durable, with a connection that is told. */
    static Consumer consumer(PersistentSubscription subscription, SubType type, long number, String name,
                             TransportCnx connection) {
        return new Consumer(subscription, type, subscription.getTopicName(), number, 0, name, true, connection, null,
                null, false, null, null, 0);
    }

    /** A cursor that is active or not, and nothing else. */
    static ManagedCursor cursor(boolean active) {
        return (ManagedCursor) Proxy.newProxyInstance(Dispatchers.class.getClassLoader(),
                new Class<?>[] {ManagedCursor.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("isActive")) {
                        throw new UnsupportedOperationException("a cursor was asked to " + method.getName());
                    }
                    return active;
                });
    }
}
