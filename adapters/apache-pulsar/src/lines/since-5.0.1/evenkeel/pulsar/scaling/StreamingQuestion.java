package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.Tasks;
import evenkeel.pulsar.standin.Told;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.KeySharedPolicy.KeySharedPolicySticky;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Range;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.v5.MessageId;
import org.apache.pulsar.client.impl.MessageIdImpl;
import org.apache.pulsar.client.impl.conf.ConsumerConfigurationData;
import org.apache.pulsar.client.impl.v5.EvenkeelStream;
import org.apache.pulsar.common.api.proto.ScalableAssignedSegment;
import org.apache.pulsar.common.api.proto.ScalableConsumerAssignment;

/**
 * {@code scaling.streaming}: a stream consumer, and the broker that its consumers of segments speak to. The consumer
 * looks every 50 ms whether a segment is drained, and each look adds to the stack that it needs when it is: so it has
 * a thread of its own, with the stack of those of a client.
 */
public final class StreamingQuestion implements Question {
    private static final long STACK = 1L << 20;
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);
    /** After the second look that found all acknowledged, a consumer is closed. */
    private static final int IDLE_LOOKS = 3;
    private static final int HASHES = 65536;

    /** A segment as the broker has it. */
    private static final class Segment {
        private long arrived;
        private final Set<Long> acknowledged = new HashSet<>();
        private boolean open;
        private final Deque<Long> sent = new ArrayDeque<>();
        private CompletableFuture<Message<?>> asked;
    }

    private Tasks tasks;
    private EvenkeelStream stream;
    private List<Segment> segments;
    private List<Long> splits;
    private List<MessageId> received;
    private long pause;
    private ArrayNode events;
    private int delivered;
    private long epoch;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        tasks = Tasks.timed();
        stream = new EvenkeelStream(SegmentClient.of(tasks, this::subscribe));
        received = new ArrayList<>();
        delivered = 0;
        epoch = 0;
        segments = List.of(new Segment(), new Segment(), new Segment());
        splits = Json.integers(trial, "splits");
        pause = trial.has("pause") ? TimeUnit.MILLISECONDS.toNanos(Json.integer(trial, "pause")) : 0;
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        Thread thread = new Thread(null, () -> {
            try {
                answer.complete(CommandList.answer(trial, this::perform));
            } catch (Throwable thrown) {
                answer.completeExceptionally(thrown);
            }
        }, "scaling.streaming", STACK);
        thread.start();
        thread.join();
        return answer.get();
    }

    private JsonNode perform(String command, JsonNode arguments) throws Throwable {
        ObjectNode happened = Json.object().put("do", "happened");
        events = happened.putArray("events");
        tasks.advance(pause);
        switch (command) {
            case "assign" -> stream.push(assignment(Json.integers(arguments, "alone"), Json.integers(arguments, "shared")));
            case "arrive" -> {
                Segment segment = segments.get((int) (Json.integer(arguments, "segment") % segments.size()));
                segment.sent.add(segment.arrived++);
            }
            case "acknowledge" -> acknowledge(delivered - 1 - Json.integer(arguments, "back"));
            default -> throw CommandList.unknown(command);
        }
        deliver();
        for (int idle = 0; idle < IDLE_LOOKS; idle++) {
            int before = events.size();
            tasks.advance(LOOK);
            deliver();
            idle = events.size() > before ? 0 : idle;
        }
        return happened;
    }

    private ScalableConsumerAssignment assignment(List<Long> alone, List<Long> shared) {
        ScalableConsumerAssignment assignment = new ScalableConsumerAssignment().setLayoutEpoch(epoch++);
        for (long number = 0; number < segments.size(); number++) {
            if (!alone.contains(number) && !shared.contains(number)) {
                continue;
            }
            ScalableAssignedSegment assigned = assignment.addSegment().setSegmentId(number).setHashStart(0)
                    .setHashEnd(HASHES - 1).setSegmentTopic("segment://public/default/topic/0000-ffff-" + number);
            if (!alone.contains(number)) {
                int start = 0;
                for (long split : splits) {
                    assigned.addBucketRange().setStart(start).setEnd((int) split - 1);
                    start = (int) split;
                }
                assigned.addBucketRange().setStart(start).setEnd(HASHES - 1);
            }
        }
        return assignment;
    }

    /** The application takes messages out of the queue until it has this one. */
    private void acknowledge(long place) throws Throwable {
        while (received.size() <= place) {
            received.add(stream.receive());
        }
        if (place >= 0) {
            stream.acknowledge(received.get((int) place));
        }
    }

    private Consumer<?> subscribe(ConsumerConfigurationData<?> settings) {
        String topic = settings.getTopicNames().iterator().next();
        int number = Integer.parseInt(topic.substring(topic.lastIndexOf('-') + 1));
        Segment segment = segments.get(number);
        note("subscribed", number, 0, starts(settings));
        segment.open = true;
        segment.asked = null;
        segment.sent.clear();
        for (long message = 0; message < segment.arrived; message++) {
            if (!segment.acknowledged.contains(message)) {
                segment.sent.add(message);
            }
        }
        return Told.only(Consumer.class, Map.<String, Function<Object[], ?>>of(
                "receiveAsync", none -> segment.asked = new CompletableFuture<>(),
                "acknowledgeAsync", ids -> acknowledge(number, (List<?>) ids[0]),
                "acknowledgeCumulativeAsync", id -> acknowledgeUpTo(number, (MessageIdImpl) id[0]),
                "closeAsync", none -> close(number)));
    }

    private static List<Long> starts(ConsumerConfigurationData<?> settings) {
        List<Long> starts = new ArrayList<>();
        if (settings.getSubscriptionType() == SubscriptionType.Exclusive) {
            return starts;
        }
        long next = 0;
        for (Range range : ((KeySharedPolicySticky) settings.getKeySharedPolicy()).getRanges()) {
            starts.add(range.getStart() == next ? next : -1);
            next = range.getEnd() + 1;
        }
        boolean whole = settings.getSubscriptionType() == SubscriptionType.Key_Shared
                && settings.isEntryBucketDispatch() && next == HASHES;
        return whole ? starts : List.of(-1L);
    }

    private CompletableFuture<Void> acknowledge(int number, List<?> ids) {
        for (Object id : ids) {
            long message = ((MessageIdImpl) id).getEntryId();
            note("acknowledged", number, message, List.of());
            segments.get(number).acknowledged.add(message);
        }
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> acknowledgeUpTo(int number, MessageIdImpl id) {
        note("acknowledged_up_to", number, id.getEntryId(), List.of());
        for (long message = 0; message <= id.getEntryId(); message++) {
            segments.get(number).acknowledged.add(message);
        }
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> close(int number) {
        note("closed", number, 0, List.of());
        segments.get(number).open = false;
        return CompletableFuture.completedFuture(null);
    }

    /** Each consumer that asked for a message gets one, as long as the broker has some. */
    private void deliver() {
        for (int number = 0; number < segments.size(); number++) {
            Segment segment = segments.get(number);
            while (segment.open && segment.asked != null && !segment.sent.isEmpty()) {
                long message = segment.sent.remove();
                CompletableFuture<Message<?>> asked = segment.asked;
                segment.asked = null;
                int before = stream.queued();
                asked.complete(Told.only(Message.class, Map.<String, Function<Object[], ?>>of(
                        "getMessageId", none -> new MessageIdImpl(0, message, -1))));
                if (stream.queued() > before) {
                    delivered++;
                    note("delivered", number, message, List.of());
                }
            }
        }
    }

    private void note(String what, int segment, long message, List<Long> starts) {
        ObjectNode event = events.addObject().put("what", what).put("segment", segment).put("message", message);
        event.set("starts", Json.arrayOf(starts));
    }
}
