package evenkeel.pulsar.throttling;

import java.util.List;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.broker.service.persistent.SteppedClassic;
import org.apache.pulsar.broker.service.persistent.SteppedStickyKey;
import org.apache.pulsar.broker.service.persistent.SteppedStickyKeyClassic;

/** The dispatchers of subscriptions that several consumers may share: until 5.0.0 also as they were before 4.0. */
final class Readers {
    static final List<String> NAMES = List.of("shared", "key-shared", "classic", "key-shared-classic");

    private Readers() {
    }

    /** The dispatcher of this name. */
    static AbstractPersistentDispatcherMultipleConsumers named(String name, PersistentTopic topic, LoopCursor cursor,
                                                               PersistentSubscription subscription,
                                                               Runnable noQuota) {
        return switch (name) {
            case "shared" -> new SteppedMultipleConsumers(topic, cursor.asManagedCursor, subscription, noQuota);
            case "key-shared" -> new SteppedStickyKey(topic, cursor.asManagedCursor, subscription, noQuota);
            case "classic" -> new SteppedClassic(topic, cursor.asManagedCursor, subscription, noQuota, cursor::limit);
            case "key-shared-classic" -> new SteppedStickyKeyClassic(topic, cursor.asManagedCursor, subscription, noQuota,
                    cursor::limit);
            default -> throw new IllegalArgumentException("this line has no dispatcher " + name);
        };
    }

    /** The dispatcher of a Key_Shared subscription that reads by itself, as it is configured. */
    static AbstractPersistentDispatcherMultipleConsumers keyShared(boolean isClassic, boolean isOutOfOrder,
                                                                   PersistentTopic topic, LoopCursor cursor,
                                                                   PersistentSubscription subscription) {
        return isClassic
                ? SteppedStickyKeyClassic.whole(topic, cursor.asManagedCursor, subscription, isOutOfOrder)
                : SteppedStickyKey.whole(topic, cursor.asManagedCursor, subscription, isOutOfOrder);
    }
}
