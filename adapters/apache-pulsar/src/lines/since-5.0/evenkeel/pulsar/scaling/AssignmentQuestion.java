package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.pulsar.broker.service.TransportCnx;
import org.apache.pulsar.broker.service.scalable.ConsumerAssignment;
import org.apache.pulsar.broker.service.scalable.ConsumerSession;
import org.apache.pulsar.broker.service.scalable.SegmentDrainChecker;
import org.apache.pulsar.broker.service.scalable.SegmentLayout;
import org.apache.pulsar.broker.service.scalable.SubscriptionCoordinator;
import org.apache.pulsar.common.naming.TopicName;

/**
 * {@code scaling.assignment}: {@link SubscriptionCoordinator} of a subscription of stream consumers. No timer runs:
 * that a period of grace is over, and that a segment is drained, is said by the trial. What a new controller does is
 * {@code ScalableTopicController}'s: it restores the consumers that were stored, and awaits segments to be drained
 * from the first one on that connects.
 */
public final class AssignmentQuestion implements Question {
    private static final TopicName TOPIC = TopicName.get("topic://public/default/topic");
    private static final Method NOW = Private.method(SubscriptionCoordinator.class, "currentAssignment");
    private static final Method DRAINED =
            Private.method(SubscriptionCoordinator.class, "markSegmentsDrained", Set.class);
    private static final Method TIMED_OUT =
            Private.method(SubscriptionCoordinator.class, "evictExpiredConsumer", String.class);
    private static final Method AWAIT =
            Private.method(SubscriptionCoordinator.class, "installDrainChecker", SegmentDrainChecker.class);
    private static final SegmentDrainChecker TOLD = (segment, name) -> CompletableFuture.completedFuture(false);

    private SegmentLayout layout;
    private int most;
    private SubscriptionCoordinator coordinator;
    private Map<String, Boolean> connected;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        most = Json.small(trial, "max_buckets");
        layout = Layouts.initial(trial, 0, Json.small(trial, "budget"), most);
        connected = new TreeMap<>();
        coordinator = coordinator(TOLD);
        return CommandList.answer(trial, this::perform);
    }

    private SubscriptionCoordinator coordinator(SegmentDrainChecker checker) {
        return new SubscriptionCoordinator("subscription", TOPIC, layout, ToldConsumers.create(),
                idle(ScheduledExecutorService.class), Duration.ofMinutes(1), checker, Duration.ofSeconds(2),
                Duration.ofMinutes(15));
    }

    private JsonNode perform(String command, JsonNode arguments) throws Throwable {
        switch (command) {
            case "connect":
                connect(Json.text(arguments, "consumer"));
                break;
            case "lose_connection":
                connected.put(Json.text(arguments, "consumer"), false);
                coordinator.onConsumerDisconnect(Json.text(arguments, "consumer"));
                break;
            case "time_out":
                connected.remove(Json.text(arguments, "consumer"));
                call(TIMED_OUT, Json.text(arguments, "consumer"));
                break;
            case "leave":
                connected.remove(Json.text(arguments, "consumer"));
                Evaluator.leave(coordinator, Json.text(arguments, "consumer"), 1);
                break;
            case "drain":
                call(DRAINED, Set.of(Json.integer(arguments, "segment")));
                break;
            case "take_over":
                takeOver();
                break;
            default:
                layout = Layouts.changed(layout, command, arguments, most);
                coordinator.onLayoutChange(layout).get();
        }
        return shown();
    }

    private void connect(String name) throws Throwable {
        connected.put(name, true);
        coordinator.registerConsumer(name, 1, idle(TransportCnx.class)).get();
    }

    private void takeOver() throws Throwable {
        coordinator.close();
        coordinator = coordinator(null);
        coordinator.restoreConsumers(connected.keySet());
        for (Map.Entry<String, Boolean> one : Map.copyOf(connected).entrySet()) {
            if (one.getValue()) {
                call(AWAIT, TOLD);
                connect(one.getKey());
            }
        }
    }

    @SuppressWarnings("unchecked")
    private ObjectNode shown() throws Throwable {
        ObjectNode shown = Json.object().put("do", "assignment");
        ArrayNode consumers = shown.putArray("consumers");
        Map<ConsumerSession, ConsumerAssignment> assigned =
                (Map<ConsumerSession, ConsumerAssignment>) call(NOW);
        assigned.forEach((session, assignment) -> consumers.addObject()
                .put("consumer", session.getConsumerName())
                .set("segments", Json.arrayOf(assignment.assignedSegments().stream()
                        .map(ConsumerAssignment.AssignedSegment::segmentId).toList())));
        return shown;
    }

    private Object call(Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(coordinator, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** A scheduler that runs nothing, or a connection over which nothing is sent. */
    @SuppressWarnings("unchecked")
    private static <T> T idle(Class<T> type) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType() == boolean.class ? false : null);
    }
}
