package evenkeel.pulsar.throttling;

import org.apache.pulsar.common.policies.data.PolicyHierarchyValue;

/** A topic's own value of a policy, which may remember which cluster it came from since 4.0. */
final class TopicValue {
    private TopicValue() {
    }

    static <T> void set(PolicyHierarchyValue<T> policy, T value) {
        policy.updateTopicValue(value, false);
    }
}
