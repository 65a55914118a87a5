package evenkeel.pulsar.throttling;

import io.netty.util.concurrent.ImmediateEventExecutor;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import org.apache.pulsar.broker.service.PulsarCommandSender;
import org.apache.pulsar.broker.service.TransportCnx;

/** A connection to a client that takes all messages at once and does nothing with them. */
final class ToldConnection {
    private static final PulsarCommandSender SENDER = (PulsarCommandSender) Proxy.newProxyInstance(
            ToldConnection.class.getClassLoader(), new Class<?>[] {PulsarCommandSender.class},
            (proxy, method, arguments) -> {
                if (!method.getName().equals("sendMessagesToConsumer")) {
                    throw new UnsupportedOperationException("a client was asked to " + method.getName());
                }
                return ImmediateEventExecutor.INSTANCE.newSucceededFuture(null);
            });

    private ToldConnection() {
    }

    static TransportCnx create() {
        return (TransportCnx) Proxy.newProxyInstance(ToldConnection.class.getClassLoader(),
                new Class<?>[] {TransportCnx.class}, (proxy, method, arguments) -> answer(method.getName()));
    }

    private static Object answer(String method) {
        switch (method) {
            case "getCommandSender":
                return SENDER;
            case "isPreciseDispatcherFlowControl":
            case "hasHAProxyMessage":
                return false;
            case "clientAddress":
                return InetSocketAddress.createUnresolved("client", 0);
            case "clientSourceAddress":
            case "clientSourceAddressAndPort":
            case "getClientVersion":
                return "client";
            default:
                throw new UnsupportedOperationException("a connection was asked to " + method);
        }
    }
}
