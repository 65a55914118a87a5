package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Failure;
import evenkeel.pulsar.Private;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.metadata.api.Notification;
import org.apache.pulsar.metadata.api.NotificationType;

/** What Pulsar's own service of topics does when the metadata store tells of a change of policies. */
final class Notices {
    private static final Method HANDLE =
            Private.method(BrokerService.class, "handleMetadataChanges", Notification.class);
    private static final String POLICIES = "/admin/policies/public/default";

    private Notices() {
    }

    static void deliver(LockPulsar pulsar) throws Throwable {
        Private.set(BrokerService.class, pulsar.topics, "pulsar", pulsar);
        try {
            HANDLE.invoke(pulsar.topics, new Notification(NotificationType.Modified, POLICIES));
        } catch (InvocationTargetException failed) {
            throw Failure.unwrap(failed);
        }
    }
}
