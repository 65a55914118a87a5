package org.apache.pulsar.client.impl.v5;

import org.apache.pulsar.common.api.proto.ScalableTopicDAG;
import org.apache.pulsar.common.naming.TopicName;

/** The door to {@link ClientSegmentLayout} and {@link SegmentRouter}, which a producer asks. */
public final class EvenkeelRouter {
    private static final TopicName TOPIC = TopicName.get("topic://public/default/topic");

    private final SegmentRouter router = new SegmentRouter();
    private final ClientSegmentLayout layout;

    public EvenkeelRouter(ScalableTopicDAG layout) {
        this(ClientSegmentLayout.fromProto(layout, TOPIC));
    }

    EvenkeelRouter(ClientSegmentLayout layout) {
        this.layout = layout;
    }

    /** The segment of a message; as {@code ScalableTopicProducer.routeMessage}. */
    public long route(String key) {
        return key == null ? router.routeRoundRobin(layout.activeSegments())
                : router.route(key, layout.activeSegments());
    }

    public static int hash(String key) {
        return SegmentRouter.hash(key);
    }
}
