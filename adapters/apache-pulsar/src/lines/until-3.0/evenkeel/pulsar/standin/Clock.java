package evenkeel.pulsar.standin;

/** A clock that no broker asks: until 3.0 limits are renewed by its executor alone. */
public interface Clock {
    long getTickNanos();
}
