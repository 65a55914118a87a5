package evenkeel.pulsar;

import evenkeel.pulsar.plugin.Broke;
import java.lang.reflect.InvocationTargetException;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.pulsar.broker.service.BrokerServiceException.NotAllowedException;
import org.apache.pulsar.broker.service.BrokerServiceException.ServiceUnitNotReadyException;

/** What an exception means in the protocol: a refusal, a breakage, or a failure of this adapter. */
public record Failure(Kind kind, String reason, String detail) {

    /** The three ways in which a trial goes without an answer. */
    public enum Kind { REFUSED, BROKE, ADAPTER }

    /** Sorts an exception that escaped from a question. */
    public static Failure of(Throwable thrown) {
        Throwable cause = unwrap(thrown);
        String detail = String.valueOf(cause.getMessage());
        if (cause instanceof NeverCompletes) {
            return new Failure(Kind.BROKE, "NeverCompletes", detail);
        }
        if (cause instanceof Refused refused) {
            return new Failure(Kind.REFUSED, refused.reason(), detail);
        }
        if (cause instanceof Broke broke) {
            return new Failure(Kind.BROKE, broke.reason(), detail);
        }
        if (cause instanceof BadTrial || !comesFromPulsar(cause)) {
            return new Failure(Kind.ADAPTER, cause.getClass().getSimpleName(), detail);
        }
        OptionalInt status = Http.status(cause);
        if (status.isPresent()) {
            int code = status.getAsInt();
            return new Failure(code < 500 ? Kind.REFUSED : Kind.BROKE, String.valueOf(code), detail);
        }
        boolean refusal = cause instanceof IllegalArgumentException
                || cause instanceof IllegalStateException
                || cause instanceof NotAllowedException
                || cause instanceof ServiceUnitNotReadyException;
        return new Failure(refusal ? Kind.REFUSED : Kind.BROKE, cause.getClass().getSimpleName(), detail);
    }

    /** The exception inside the wrappers that futures and reflection put around it. */
    public static Throwable unwrap(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException
                || cause instanceof InvocationTargetException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * Whether Pulsar raised it: going outwards from where it was thrown, Pulsar's code comes before this
     * adapter's. A trace that shows neither (one the JVM shortened) counts as Pulsar's.
     */
    private static boolean comesFromPulsar(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            String name = frame.getClassName();
            if (name.startsWith("evenkeel.") || name.endsWith(".EvenkeelAccess")) {
                return false;
            }
            if (name.startsWith("org.apache.pulsar.") || name.startsWith("org.apache.bookkeeper.mledger.")) {
                return true;
            }
        }
        return true;
    }
}
