package evenkeel.pulsar.throttling;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import org.apache.pulsar.common.policies.data.impl.DispatchRateImpl;

/** Rates and mechanisms as trials state them. */
final class Rates {
    private Rates() {
    }

    /** A rate; null where the trial has null. */
    static DispatchRateImpl rate(JsonNode rate) {
        if (rate.isNull()) {
            return null;
        }
        return DispatchRateImpl.builder()
                .dispatchThrottlingRateInMsg(Json.small(rate, "messages"))
                .dispatchThrottlingRateInByte(Json.integer(rate, "bytes"))
                .ratePeriodInSecond(Json.small(rate, "period"))
                .relativeToPublishRate(Json.flag(rate, "relative"))
                .build();
    }

    /** Whether the trial asks for a token bucket, or else for a period counter. */
    static boolean isBucket(JsonNode trial) {
        switch (Json.text(trial, "mechanism")) {
            case "classic":
                return false;
            case "bucket":
                return true;
            case "forgetting":
            case "bucket_3":
                throw new NotHere("a limiter of an earlier Pulsar");
            default:
                throw new BadTrial("unknown mechanism " + trial.get("mechanism"));
        }
    }
}
