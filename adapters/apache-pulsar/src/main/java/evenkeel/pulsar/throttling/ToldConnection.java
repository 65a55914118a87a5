package evenkeel.pulsar.throttling;

import evenkeel.pulsar.standin.Told;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.pulsar.broker.service.EntryBatchSizes;
import org.apache.pulsar.broker.service.PulsarCommandSender;
import org.apache.pulsar.broker.service.TransportCnx;

/** A connection to a client that can always be written to. */
final class ToldConnection {
    /** What is sent, entries with their numbers of messages, and when it has been written. */
    interface Sender extends BiFunction<List<? extends Entry>, EntryBatchSizes, Future<Void>> {
    }

    private ToldConnection() {
    }

    @SuppressWarnings("unchecked")
    static TransportCnx create(boolean precise, Sender sender) {
        PulsarCommandSender commands = Told.only(PulsarCommandSender.class, Map.of("sendMessagesToConsumer",
                message -> sender.apply((List<? extends Entry>) message[4], (EntryBatchSizes) message[5])));
        return Told.only(TransportCnx.class, Map.<String, Function<Object[], ?>>of(
                "getCommandSender", none -> commands,
                "isPreciseDispatcherFlowControl", none -> precise,
                "newPromise", none -> ImmediateEventExecutor.INSTANCE.<Void>newPromise(),
                "isActive", none -> true,
                "isWritable", none -> true,
                "hasHAProxyMessage", none -> false,
                "clientAddress", none -> InetSocketAddress.createUnresolved("client", 0),
                "clientSourceAddress", none -> "client",
                "clientSourceAddressAndPort", none -> "client",
                "getClientVersion", none -> "client"));
    }
}
