package evenkeel.pulsar.throttling;

import java.util.List;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.broker.service.persistent.SteppedStickyKey;

/** The dispatchers of subscriptions that several consumers may share; since 5.0.1 there is no classic one. */
final class Readers {
    static final List<String> NAMES = List.of("shared", "key-shared");

    private Readers() {
    }

    /** The dispatcher of this name. */
    static AbstractPersistentDispatcherMultipleConsumers named(String name, PersistentTopic topic, LoopCursor cursor,
                                                               PersistentSubscription subscription,
                                                               Runnable noQuota) {
        return switch (name) {
            case "shared" -> new SteppedMultipleConsumers(topic, cursor.asManagedCursor, subscription, noQuota);
            case "key-shared" -> new SteppedStickyKey(topic, cursor.asManagedCursor, subscription, noQuota);
            default -> throw new IllegalArgumentException("this line has no dispatcher " + name);
        };
    }

    /** The dispatcher of a Key_Shared subscription that reads by itself: the only one, whatever is configured. */
    static AbstractPersistentDispatcherMultipleConsumers keyShared(boolean isClassic, boolean isOutOfOrder,
                                                                   PersistentTopic topic, LoopCursor cursor,
                                                                   PersistentSubscription subscription) {
        return SteppedStickyKey.whole(topic, cursor.asManagedCursor, subscription, isOutOfOrder);
    }
}
