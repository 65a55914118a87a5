package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.apache.pulsar.broker.service.AbstractTopic;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.DispatchRateLimiter;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.apache.pulsar.common.policies.data.HierarchyTopicPolicies;
import org.apache.pulsar.common.policies.data.TopicPolicies;

/**
 * A topic that was never opened: its policies, its limiter and the publish rate it was told. Policies and limiter are
 * kept by Pulsar's own {@link PersistentTopic} and {@link AbstractTopic}; {@link #tell} puts told limiters in
 * their place where only these are asked for.
 */
public final class StandInTopic extends PersistentTopic {
    private double publishedMessages;
    private double publishedBytes;
    private boolean told;
    private Optional<DispatchRateLimiter> toldBroker;
    private Optional<DispatchRateLimiter> toldTopic;

    private StandInTopic() {
        super(null, null, null);
    }

    public static StandInTopic create(BrokerService brokerService) {
        StandInTopic topic = Private.allocate(StandInTopic.class);
        Private.set(AbstractTopic.class, topic, "topic", "persistent://t/ns/topic");
        Private.set(AbstractTopic.class, topic, "brokerService", brokerService);
        Private.set(PersistentTopic.class, topic, "dispatchRateLimiterLock", new Object());
        topic.forget();
        return topic;
    }

    /** No policies and no limiter, as in a topic just made. */
    public void forget() {
        Private.set(AbstractTopic.class, this, "topicPolicies", new HierarchyTopicPolicies());
        // One map, or, in 4.2, one for each origin of a policy beside it.
        for (Field field : AbstractTopic.class.getDeclaredFields()) {
            if (field.getType() == Map.class && field.getName().toLowerCase().endsWith("subscriptionpolicies")) {
                Private.set(AbstractTopic.class, this, field.getName(), new HashMap<>());
            }
        }
        Private.set(PersistentTopic.class, this, "dispatchRateLimiter", Optional.empty());
        publishedMessages = 0;
        publishedBytes = 0;
        told = false;
    }

    /** Before its policies are loaded: what listens to them, an object of its own since 4.2, and its thread. */
    public void listen(ExecutorService thread) {
        for (Field field : AbstractTopic.class.getDeclaredFields()) {
            if (field.getName().equals("topicPoliciesNotifyThread")) {
                Private.set(AbstractTopic.class, this, field.getName(), thread);
            } else if (field.getName().equals("topicPolicyListener")) {
                try {
                    Constructor<?> made = field.getType().getConstructors()[0];
                    Private.set(AbstractTopic.class, this, field.getName(), made.getParameterCount() == 1
                            ? made.newInstance(this) : made.newInstance(this, getName()));
                } catch (ReflectiveOperationException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        }
    }

    /** It takes the policies over; what serves the topic is not there. */
    @Override
    public void onUpdate(TopicPolicies policies) {
        if (policies != null) {
            updateTopicPolicy(policies);
        }
    }

    public void publish(double messages, double bytes) {
        publishedMessages = messages;
        publishedBytes = bytes;
    }

    /** From now on these are the limiters of broker and topic. */
    public void tell(Optional<DispatchRateLimiter> broker, Optional<DispatchRateLimiter> topic) {
        told = true;
        toldBroker = broker;
        toldTopic = topic;
    }

    @Override
    public Optional<DispatchRateLimiter> getBrokerDispatchRateLimiter() {
        return told ? toldBroker : super.getBrokerDispatchRateLimiter();
    }

    @Override
    public Optional<DispatchRateLimiter> getDispatchRateLimiter() {
        return told ? toldTopic : super.getDispatchRateLimiter();
    }

    @Override
    public double getLastUpdatedAvgPublishRateInMsg() {
        return publishedMessages;
    }

    @Override
    public double getLastUpdatedAvgPublishRateInByte() {
        return publishedBytes;
    }

    @Override
    public void updateEntryFilters() {
        // No entry filters are installed.
    }
}
