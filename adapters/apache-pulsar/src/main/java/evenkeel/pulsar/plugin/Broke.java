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

    /** Where it was thrown: the first place outside the JDK, if its trace says. */
    private static String where(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (!frame.getClassName().matches("(java|javax|jdk|sun)\\..*")) {
                return ", at " + frame.getClassName() + "." + frame.getMethodName() + " (" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")";
            }
        }
        return "";
    }
}
