package evenkeel.pulsar.plugin;

import evenkeel.pulsar.Failure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.pulsar.broker.PulsarService;

/**
 * A strategy between Pulsar's manager and the plug-in: notes what the plug-in returned last and what it threw, which
 * the managers would log and forget.
 */
final class Watched<T> {
    private final T plugin;
    private final T strategy;
    private Object returned;
    private Throwable thrown;

    /** Watches what this plug-in does as a strategy of this kind. */
    Watched(Class<T> kind, T plugin) {
        this.plugin = plugin;
        strategy = kind.cast(Proxy.newProxyInstance(Watched.class.getClassLoader(), new Class<?>[] {kind},
                (self, method, arguments) -> call(method, arguments)));
    }

    /** What Pulsar's manager is given in place of the plug-in. */
    T strategy() {
        return strategy;
    }

    private Object call(Method method, Object... arguments) throws Throwable {
        try {
            Object result = method.invoke(plugin, arguments);
            if (method.getDeclaringClass() != Object.class && method.getReturnType() != void.class) {
                returned = result;
            }
            return result;
        } catch (InvocationTargetException failed) {
            thrown = failed.getCause();
            throw thrown;
        }
    }

    /** What the plug-in returned last in this turn; null if nothing. */
    Object returned() {
        return returned;
    }

    /** Lets Pulsar do something with these; fails if one of them threw something, whatever Pulsar made of it. */
    static void run(Step step, Watched<?>... watched) {
        for (Watched<?> each : watched) {
            each.returned = null;
            each.thrown = null;
        }
        try {
            step.run();
        } catch (Exception | LinkageError | StackOverflowError escaped) {
            throw asBroken(escaped);
        }
        for (Watched<?> each : watched) {
            if (each.thrown != null) {
                throw asBroken(each.thrown);
            }
        }
    }

    /** The failure to report: the plug-in's, unless it asked a stand-in for what that does not have. */
    private static RuntimeException asBroken(Throwable thrown) {
        Throwable failure = Failure.unwrap(thrown);
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            StackTraceElement standIn = standIn(cause);
            if (standIn != null) {
                return new IllegalStateException(
                        "the strategy asks what no stand-in answers: " + cause + ", at " + standIn);
            }
        }
        return new Broke(failure);
    }

    /** The stand-in that was called when this was thrown, or null. */
    private static StackTraceElement standIn(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            String name = frame.getClassName();
            if (name.startsWith("evenkeel.pulsar.standin.") || name.equals(PulsarService.class.getName())) {
                return frame;
            }
            if (name.startsWith("evenkeel.pulsar.plugin.")) {
                return null;
            }
        }
        return null;
    }

    /** Something that Pulsar does. */
    interface Step {
        void run() throws Exception;
    }
}
