package org.apache.pulsar.client.impl.v5;

import java.util.List;
import org.apache.pulsar.client.impl.conf.ProducerConfigurationData;
import org.apache.pulsar.common.scalable.HashRange;

/** The door to what {@link ScalableTopicProducer} makes of the settings of a producer for a segment. */
public final class EvenkeelEntries {
    private EvenkeelEntries() {
    }

    /** The settings of the producer of a segment whose buckets but the first begin at these hashes. */
    public static void configure(ProducerConfigurationData settings, List<Integer> splits) {
        ScalableTopicProducer.applyEntryBucketing(settings, new SegmentRouter.ActiveSegment(
                0, HashRange.full(), settings.getTopicName(), null, splits, List.of()));
    }
}
