package evenkeel.pulsar.throttling;

import io.netty.channel.EventLoopGroup;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;

/** The executor at which dispatchers schedule a new look: it notes when, and never runs it. */
final class Looks {
    private Long millis;

    EventLoopGroup group() {
        return (EventLoopGroup) Proxy.newProxyInstance(Looks.class.getClassLoader(),
                new Class<?>[] {EventLoopGroup.class}, (proxy, method, arguments) -> noted(method, arguments));
    }

    private Object noted(Method method, Object[] arguments) {
        if (!method.getName().equals("schedule")) {
            throw new UnsupportedOperationException("a dispatcher asked its executor to " + method.getName());
        }
        millis = ((TimeUnit) arguments[2]).toMillis((Long) arguments[1]);
        return null;
    }

    void clear() {
        millis = null;
    }

    /** In how many ms a new look was scheduled; null if none was. */
    Long scheduled() {
        return millis;
    }
}
