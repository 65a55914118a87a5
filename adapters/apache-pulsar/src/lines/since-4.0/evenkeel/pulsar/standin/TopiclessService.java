package evenkeel.pulsar.standin;

import io.netty.channel.EventLoopGroup;
import java.util.HashMap;
import java.util.Map;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.Topic;

/** A broker that serves no topics: its map of them is empty, plain maps since 4.0. */
public abstract class TopiclessService extends BrokerService {
    protected TopiclessService(PulsarService pulsar, EventLoopGroup events) throws Exception {
        super(pulsar, events);
    }

    @Override
    public Map<String, Map<String, Map<String, Topic>>> getMultiLayerTopicsMap() {
        return new HashMap<>();
    }
}
