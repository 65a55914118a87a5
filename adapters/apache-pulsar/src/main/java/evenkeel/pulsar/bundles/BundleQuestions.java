package evenkeel.pulsar.bundles;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.standin.Texts;
import evenkeel.pulsar.standin.World;
import java.util.List;
import org.apache.pulsar.common.naming.EvenkeelAccess;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceBundles;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.naming.TopicName;

/**
 * The chapter <i>bundles</i>, but for creation: {@link TopicName}, {@link NamespaceBundleFactory},
 * {@link NamespaceBundles} and {@link NamespaceBundle} are asked directly.
 */
public final class BundleQuestions {
    private static final String NAMESPACE = "public/default";

    private final NamespaceBundleFactory factory;

    public BundleQuestions(World world) {
        factory = world.factory;
    }

    /** {@code bundles.topic}: {@link TopicName} and {@link NamespaceBundleFactory#getLongHashCode}. */
    public JsonNode topic(JsonNode trial) {
        TopicName topic = Bundles.topic(Json.text(trial, "text"));
        ObjectNode answer = Json.object()
                .put("name", topic.toString())
                .put("domain", topic.getDomain().value())
                .put("namespace", topic.getNamespace())
                .put("local_name", topic.getLocalName())
                .put("base_name", topic.getPartitionedTopicName());
        if (topic.isPartitioned()) {
            answer.put("partition", topic.getPartitionIndex());
        } else {
            answer.putNull("partition");
        }
        return answer.put("hash", factory.getLongHashCode(topic.toString()));
    }

    /** {@code bundles.range}: {@link NamespaceBundleFactory#getBundle(String, String)}. */
    public JsonNode range(JsonNode trial) {
        NamespaceBundle bundle = factory.getBundle(NAMESPACE, Json.text(trial, "text"));
        ObjectNode answer = Json.object();
        answer.set("range", Bundles.span(bundle));
        return answer.put("name", bundle.getBundleRange());
    }

    /** {@code bundles.boundaries}: {@link NamespaceBundleFactory#getBundles} of stored boundaries. */
    public JsonNode boundaries(JsonNode trial) {
        NamespaceBundles bundles = bundles(NAMESPACE, trial);
        ObjectNode answer = Json.object();
        answer.set("bundles", Bundles.spans(bundles.getBundles()));
        return answer;
    }

    /** {@code bundles.hash_lookup}: {@link NamespaceBundles#getBundle(long)}. */
    public JsonNode hashLookup(JsonNode trial) {
        NamespaceBundles bundles = bundles(NAMESPACE, trial);
        NamespaceBundle found = EvenkeelAccess.bundleOfHash(bundles, Json.integer(trial, "hash"));
        return answer(found);
    }

    /** {@code bundles.topic_lookup}: {@link NamespaceBundles#findBundle}, {@link NamespaceBundle#includes}. */
    public JsonNode topicLookup(JsonNode trial) {
        NamespaceBundles bundles = bundles(Json.text(trial, "namespace"), trial);
        TopicName topic = Bundles.topic(Json.text(trial, "topic"));
        ObjectNode answer = answer(bundles.findBundle(topic));
        ArrayNode holders = answer.putArray("holders");
        for (NamespaceBundle bundle : bundles.getBundles()) {
            if (bundle.includes(topic)) {
                holders.add(Bundles.span(bundle));
            }
        }
        return answer;
    }

    /** {@code bundles.membership}: {@link NamespaceBundles#validateBundle}. */
    public JsonNode membership(JsonNode trial) throws Exception {
        NamespaceBundles bundles = bundles(NAMESPACE, trial);
        NamespaceBundle asked = factory.getBundle(NamespaceName.get(NAMESPACE),
                NamespaceBundleFactory.getRange(Json.integer(trial, "lower"), Json.integer(trial, "upper")));
        bundles.validateBundle(asked);
        return answer(asked);
    }

    private NamespaceBundles bundles(String namespace, JsonNode trial) {
        List<Long> boundaries = Json.integers(trial, "boundaries");
        return factory.getBundles(NamespaceName.get(namespace), Texts.bundles(boundaries));
    }

    private static ObjectNode answer(NamespaceBundle bundle) {
        ObjectNode answer = Json.object();
        answer.set("bundle", Bundles.span(bundle));
        return answer;
    }
}
