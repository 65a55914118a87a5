package evenkeel.pulsar;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.objenesis.Objenesis;
import org.objenesis.ObjenesisStd;

/** Reaches what Pulsar keeps private, and makes stand-ins without running a service's constructor. */
public final class Private {
    private static final Objenesis OBJENESIS = new ObjenesisStd();

    private Private() {
    }

    /** An object of this class whose constructor has not run. */
    public static <T> T allocate(Class<T> type) {
        return Loggers.given(OBJENESIS.newInstance(type));
    }

    /** The field of this class that has this name, made accessible. */
    public static Field field(Class<?> owner, String name) {
        try {
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException missing) {
            throw new IllegalStateException("this Pulsar has no field " + owner.getName() + "." + name, missing);
        }
    }

    /** Puts a value into a field. */
    public static void set(Class<?> owner, Object object, String name, Object value) {
        try {
            field(owner, name).set(object, value);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Puts a whole number into a field of 64 bits, or of 32, as some lines have it. */
    public static void setWhole(Class<?> owner, Object object, String name, long value) {
        boolean isShort = field(owner, name).getType() == int.class;
        set(owner, object, name, isShort ? (Object) Math.toIntExact(value) : (Object) value);
    }

    /** The value of a field. */
    @SuppressWarnings("unchecked")
    public static <T> T get(Class<?> owner, Object object, String name) {
        try {
            return (T) field(owner, name).get(object);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The method of this class that has this name and these parameters, made accessible. */
    public static Method method(Class<?> owner, String name, Class<?>... parameters) {
        try {
            Method method = owner.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException missing) {
            throw new IllegalStateException("this Pulsar has no method " + owner.getName() + "." + name, missing);
        }
    }
}
