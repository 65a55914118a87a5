package evenkeel.pulsar.scaling;

import evenkeel.pulsar.Private;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.resources.ScalableTopicResources;
import org.apache.pulsar.broker.service.scalable.SegmentLoadSample;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.scalable.SegmentLoadStats;
import org.apache.pulsar.metadata.api.CacheGetResult;

/** The records of segments' loads of one topic, in memory, each with the time at which it was written. */
final class ToldLoads extends ScalableTopicResources {
    static final TopicName TOPIC = TopicName.get("persistent://public/default/topic");

    Map<Long, SegmentLoadSample> samples;
    long now;

    private ToldLoads() {
        super(null, 0);
    }

    static ToldLoads create() {
        ToldLoads loads = Private.allocate(ToldLoads.class);
        loads.samples = new HashMap<>();
        return loads;
    }

    @Override
    public String segmentLoadPath(TopicName topic, long segment) {
        return Long.toString(segment);
    }

    @Override
    public CompletableFuture<Void> reportSegmentLoadAsync(TopicName topic, long segment, SegmentLoadStats stats) {
        samples.put(segment, new SegmentLoadSample(stats, now));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Optional<CacheGetResult<SegmentLoadStats>>> getSegmentLoadAsync(
            TopicName topic, long segment) {
        Optional<SegmentLoadSample> found = Optional.ofNullable(samples.get(segment));
        return CompletableFuture.completedFuture(found.map(one -> new CacheGetResult<>(one.stats(), null)));
    }
}
