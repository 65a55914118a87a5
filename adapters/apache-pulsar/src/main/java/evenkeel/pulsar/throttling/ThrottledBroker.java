package evenkeel.pulsar.throttling;

import evenkeel.pulsar.Private;
import evenkeel.pulsar.standin.StandInBrokerService;
import evenkeel.pulsar.standin.StandInTopic;
import evenkeel.pulsar.standin.Tasks;
import evenkeel.pulsar.standin.World;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.plugin.EntryFilterProvider;

/** What a limiter needs around it: a broker with a virtual clock, and one topic. */
final class ThrottledBroker {
    final World world = new World();
    final Tasks time = Tasks.timed();
    final ServiceConfiguration config;
    final StandInBrokerService service;
    final StandInTopic topic;

    ThrottledBroker() {
        world.pulsar.use(time, time);
        config = world.config;
        config.setClusterName("c");
        service = StandInBrokerService.create(world.pulsar);
        world.pulsar.use(service);
        topic = StandInTopic.create(service);
    }

    /** As dispatchers with consumers need it: it executes what they ask for, and filters no entries. */
    void runDispatchers(EventLoopGroup executor) {
        service.setExecutor(executor);
        Private.set(BrokerService.class, service, "blockedDispatcherOnHighUnackedMsgs", new AtomicBoolean());
        try {
            Private.set(BrokerService.class, service, "entryFilterProvider", new EntryFilterProvider(config));
        } catch (IOException impossible) {
            throw new UncheckedIOException("no entry filters are configured", impossible);
        }
    }

    /** As new. */
    void forget() {
        time.clear();
        topic.forget();
        Private.set(BrokerService.class, service, "brokerDispatchRateLimiter", null);
    }
}
