package evenkeel.pulsar.standin;

import org.apache.pulsar.broker.qos.MonotonicClock;

/** The clock by which a broker measures limits: Pulsar's since 3.3. */
public interface Clock extends MonotonicClock {
}
