// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.client.impl.v5;

import static org.mockito.Mockito.mock;
import static org.testng.Assert.assertEquals;

import java.util.List;
import org.apache.pulsar.client.impl.PulsarClientImpl;
import org.apache.pulsar.common.api.proto.ScalableTopicDAG;
import org.apache.pulsar.common.api.proto.SegmentState;
import org.apache.pulsar.common.naming.TopicName;
import org.testng.annotations.Test;

public class AClientOfPulsar5TakesAnOlderLayoutAndSendsToASegmentThatIsSealedTest {

    /**
     * A client of Pulsar 5 takes an older layout, and sends to a segment that is sealed: segment 0 was split in epoch
     * 7, and the layout of epoch 6 arrives after that of epoch 7.
     */
    @Test
    public void testAClientOfPulsar5TakesAnOlderLayoutAndSendsToASegmentThatIsSealed() {
        TopicName topic = TopicName.get("topic://public/default/topic");
        DagWatchClient client = new DagWatchClient(mock(PulsarClientImpl.class), topic);
        for (long epoch : List.of(7L, 6L)) {
            boolean split = epoch == 7;
            ScalableTopicDAG layout = new ScalableTopicDAG().setEpoch(epoch);
            add(layout, 0, 0, 0xffff, split ? SegmentState.SEALED : SegmentState.ACTIVE);
            if (split) {
                add(layout, 1, 0, 0x7fff, SegmentState.ACTIVE);
                add(layout, 2, 0x8000, 0xffff, SegmentState.ACTIVE);
            }
            client.onUpdate(layout, topic.toString());
        }
        ClientSegmentLayout layout = client.currentLayout();
        long segment = new SegmentRouter().route("order-3", layout.activeSegments());
        assertEquals(segment, 2, "the client has epoch " + layout.epoch() + ", order-3 goes to " + segment + ";");
    }

    private static void add(ScalableTopicDAG layout, long number, int start, int end, SegmentState state) {
        layout.addSegment().setSegmentId(number).setHashStart(start).setHashEnd(end).setState(state)
                .setCreatedAtEpoch(number == 0 ? 0 : 7);
    }
}
