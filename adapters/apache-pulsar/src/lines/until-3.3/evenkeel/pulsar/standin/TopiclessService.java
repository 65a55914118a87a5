package evenkeel.pulsar.standin;

import io.netty.channel.EventLoopGroup;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.common.util.collections.ConcurrentOpenHashMap;

/** A broker that serves no topics: its map of them is empty, maps of Pulsar's own until 3.3. */
public abstract class TopiclessService extends BrokerService {
    protected TopiclessService(PulsarService pulsar, EventLoopGroup events) throws Exception {
        super(pulsar, events);
    }

    @Override
    public ConcurrentOpenHashMap<String, ConcurrentOpenHashMap<String, ConcurrentOpenHashMap<String, Topic>>> getMultiLayerTopicsMap() {
        return getMultiLayerTopicMap();
    }

    /** The same under the name by which a split asks for it. */
    @Override
    public ConcurrentOpenHashMap<String, ConcurrentOpenHashMap<String, ConcurrentOpenHashMap<String, Topic>>> getMultiLayerTopicMap() {
        return ConcurrentOpenHashMap.<String, ConcurrentOpenHashMap<String, ConcurrentOpenHashMap<String, Topic>>>newBuilder()
                .build();
    }
}
