package evenkeel.pulsar.balancing;

import evenkeel.pulsar.Private;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import org.apache.pulsar.broker.loadbalance.LoadManager;
import org.apache.pulsar.broker.loadbalance.extensions.ExtensibleLoadManagerWrapper;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerWrapper;
import org.slf4j.Logger;
import sun.misc.Unsafe;

/** A manager that was started; {@code caught}: an exception was logged before, and no more came of it. */
record Started(LoadManager manager, boolean caught) {
    private static boolean warned;

    static {
        Field logger = Private.field(LoadManager.class, "LOG");
        // Since 5.0 another one; by then nothing is caught (4.2).
        if (logger.getType() == Logger.class) {
            listen(logger);
        }
    }

    static Started by(Callable<LoadManager> start) throws Exception {
        warned = false;
        LoadManager manager = start.call();
        return new Started(manager, warned);
    }

    /** The class of the manager, without what wraps it. */
    String runs() {
        Object inner = manager;
        if (manager instanceof ModularLoadManagerWrapper wrapper) {
            inner = wrapper.getLoadManager();
        } else if (manager instanceof ExtensibleLoadManagerWrapper wrapper) {
            inner = wrapper.get();
        }
        return inner.getClass().getSimpleName();
    }

    /** Puts a logger into a constant, which no setter can. */
    private static void listen(Field constant) {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            Unsafe unsafe = (Unsafe) field.get(null);
            Logger silent = (Logger) constant.get(null);
            Object listener = Proxy.newProxyInstance(Logger.class.getClassLoader(), new Class<?>[] {Logger.class},
                    (proxy, method, arguments) -> {
                        warned |= arguments != null && arguments[arguments.length - 1] instanceof Throwable;
                        return method.invoke(silent, arguments);
                    });
            unsafe.putObject(unsafe.staticFieldBase(constant), unsafe.staticFieldOffset(constant), listener);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
