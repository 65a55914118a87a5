package evenkeel.pulsar.plugin;

/** An exception out of a plug-in, or out of Pulsar's code that could not use what the plug-in returned. */
public final class Broke extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broke(Throwable cause) {
        super(cause.getMessage() + where(cause), cause);
    }

    /** The class of the exception. */
    public String reason() {
        return getCause().getClass().getSimpleName();
    }

    private static String where(Throwable cause) {
        StackTraceElement frame = origin(cause);
        return frame == null ? "" : ", at " + frame.getClassName() + "." + frame.getMethodName()
                + " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
    }

    /** Where it was thrown: the first place outside the JDK; null if its trace does not say. */
    static StackTraceElement origin(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (!frame.getClassName().matches("(java|javax|jdk|sun)\\..*")) {
                return frame;
            }
        }
        return null;
    }
}
