package evenkeel.pulsar.throttling;

import org.apache.pulsar.common.policies.data.PolicyHierarchyValue;

/** A topic's own value of a policy, a value only until 3.3. */
final class TopicValue {
    private TopicValue() {
    }

    static <T> void set(PolicyHierarchyValue<T> policy, T value) {
        policy.updateTopicValue(value);
    }
}
