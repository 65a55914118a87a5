// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.client.impl.v5;

import static org.testng.Assert.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.impl.MessageImpl;
import org.apache.pulsar.client.impl.SinglePartitionMessageRouterImpl;
import org.apache.pulsar.client.impl.conf.ProducerConfigurationData;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.api.proto.ScalableTopicDAG;
import org.apache.pulsar.common.api.proto.SegmentState;
import org.apache.pulsar.common.naming.TopicName;
import org.testng.annotations.Test;

public class KeysChangePartitionForClientsOf5Test {

    /**
     * A client of Pulsar 5 sends keys to other partitions than classic producers by their default: a topic of four
     * partitions is not migrated yet, and a producer of each kind writes to it.
     */
    @Test
    public void testKeysChangePartitionForClientsOf5() {
        ProducerConfigurationData classic = new ProducerConfigurationData();
        SinglePartitionMessageRouterImpl before = new SinglePartitionMessageRouterImpl(0, classic.getHashingScheme());
        ScalableTopicDAG sent = new ScalableTopicDAG().setEpoch(0);
        for (int partition = 0; partition < 4; partition++) {
            sent.addSegment().setSegmentId(partition).setHashStart(partition << 14).setHashEnd((partition + 1 << 14) - 1)
                    .setState(SegmentState.ACTIVE).setCreatedAtEpoch(0)
                    .setLegacyTopicName("persistent://public/default/topic-partition-" + partition);
        }
        ClientSegmentLayout layout = ClientSegmentLayout.fromProto(sent, TopicName.get("topic://public/default/topic"));
        List<Long> old = new ArrayList<>();
        List<Long> now = new ArrayList<>();
        for (String key : List.of("order-1", "order-3", "order-4")) {
            MessageMetadata metadata = new MessageMetadata().setPartitionKey(key).setProducerName("p").setSequenceId(0)
                    .setPublishTime(0);
            old.add((long) before.choosePartition(MessageImpl.create(metadata, ByteBuffer.allocate(0),
                    Schema.BYTES, null), () -> 4));
            now.add(new SegmentRouter().route(key, layout.activeSegments()));
        }
        assertEquals(now.toString(), old.toString());
    }
}
