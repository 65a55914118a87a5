package evenkeel.pulsar.standin;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;

/** Something of which only a few methods are called; what they answer is told. */
public final class Told {
    private Told() {
    }

    /** A {@code type} whose methods of these names answer so; another one that is called fails. */
    public static <T> T only(Class<T> type, Map<String, Function<Object[], ?>> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (self, method, arguments) -> {
                    if (method.getName().equals("hashCode")) {
                        return System.identityHashCode(self);
                    }
                    if (method.getName().equals("equals")) {
                        return self == arguments[0];
                    }
                    if (!answers.containsKey(method.getName())) {
                        throw new UnsupportedOperationException("the stand-in has no " + method.getName());
                    }
                    return answers.get(method.getName()).apply(arguments);
                }));
    }
}
