package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;

/** {@code splitting.manual}: hands each trial to the broker that runs the load manager it names. */
public final class ManualQuestion implements Question {
    private ManualBroker modular;
    private ManualBroker extensible;

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        switch (Json.text(trial, "manager")) {
            case "modular":
                modular = modular == null || modular.spent() ? ManualBroker.modular() : modular;
                return modular.answer(trial);
            case "extensible":
                extensible = extensible == null || extensible.spent() ? ManualBroker.extensible() : extensible;
                return extensible.answer(trial);
            default:
                throw new BadTrial("unknown manager " + trial.get("manager"));
        }
    }
}
