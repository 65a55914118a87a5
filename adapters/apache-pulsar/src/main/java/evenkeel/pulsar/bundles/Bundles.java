package evenkeel.pulsar.bundles;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import evenkeel.pulsar.Json;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.TopicName;

/** What every chapter needs of bundles and topics. */
public final class Bundles {
    private static final int CACHED_TOPICS = 20_000;

    private static int topicsSinceLook;

    private Bundles() {
    }

    /** The span of a bundle. */
    public static ObjectNode span(NamespaceBundle bundle) {
        Range<Long> range = bundle.getKeyRange();
        return Json.span(range.lowerEndpoint(), range.upperEndpoint(), range.upperBoundType() == BoundType.CLOSED);
    }

    /** The spans of bundles, in the order given. */
    public static ArrayNode spans(Collection<NamespaceBundle> bundles) {
        ArrayNode result = Json.array();
        bundles.forEach(bundle -> result.add(span(bundle)));
        return result;
    }

    /** The spans of bundles, in ascending order. */
    public static ArrayNode ascending(Collection<NamespaceBundle> bundles) {
        List<NamespaceBundle> sorted = bundles.stream()
                .sorted(Comparator.comparing((NamespaceBundle b) -> b.getKeyRange().lowerEndpoint())).toList();
        return spans(sorted);
    }

    /** {@link TopicName#get(String)}, keeping Pulsar's cache of names from growing without end. */
    public static TopicName topic(String text) {
        if (++topicsSinceLook >= CACHED_TOPICS) {
            topicsSinceLook = 0;
            TopicName.clearIfReachedMaxCapacity(CACHED_TOPICS);
        }
        return TopicName.get(text);
    }
}
