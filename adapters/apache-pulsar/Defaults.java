import java.lang.reflect.Field;
import org.apache.pulsar.common.configuration.FieldContext;

/**
 * Prints each setting of balancing and of dispatch with the default that a broker's class has, as
 * KEY=VALUE; "computed" is what a broker finds out when it starts. Run from source by `python -m evenkeel.operate.conf.shipped`, with a line's jars.
 */
public final class Defaults {
    private static final String BALANCING = "Load Balancer";

    private Defaults() {}

    private static boolean isOurs(Field field) {
        FieldContext context = field.getAnnotation(FieldContext.class);
        String name = field.getName();
        return context != null
                && (context.category().equals(BALANCING)
                        || name.matches(".*([Dd]ispatch|NamespaceBundle|preferLater|scalableTopic).*")
                        || name.matches("(keySharedLookAhead|managedLedgerMaxReadsInFlight).*"));
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Class<?> kind = Class.forName("org.apache.pulsar.broker.ServiceConfiguration");
        Object configuration = kind.getConstructor().newInstance();
        for (Field field : kind.getDeclaredFields()) {
            if (isOurs(field)) {
                field.setAccessible(true);
                Object value = field.get(configuration);
                System.out.println(field.getName() + "=" + (value == null ? "computed" : value));
            }
        }
    }
}
