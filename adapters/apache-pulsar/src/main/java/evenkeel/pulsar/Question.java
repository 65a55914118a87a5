package evenkeel.pulsar;

import com.fasterxml.jackson.databind.JsonNode;

/** One question of the protocol: turns a trial into an answer by calling Apache Pulsar. */
@FunctionalInterface
public interface Question {
    /** The answer object. Whatever Pulsar throws may simply escape: {@link Failure} sorts it. */
    JsonNode answer(JsonNode trial) throws Throwable;
}
