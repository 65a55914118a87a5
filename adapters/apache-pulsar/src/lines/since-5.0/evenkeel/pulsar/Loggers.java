package evenkeel.pulsar;

import io.github.merlimat.slog.Logger;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** The loggers of Pulsar's objects: some of each object's own since 5.0, which its constructor makes. */
final class Loggers {
    private static final Logger SILENT = Logger.get("evenkeel");

    private Loggers() {
    }

    /** This object, which has loggers although its constructor has not run. */
    static <T> T given(T object) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getType() == Logger.class && !Modifier.isStatic(field.getModifiers())) {
                    Private.set(type, object, field.getName(), SILENT);
                }
            }
        }
        return object;
    }
}
