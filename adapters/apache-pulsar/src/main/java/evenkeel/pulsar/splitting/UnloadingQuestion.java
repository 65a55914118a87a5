package evenkeel.pulsar.splitting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.World;
import java.util.Set;

/**
 * {@code splitting.unloading}: which automatic splits unload their children, asked of the manager that the trial
 * names. A split that Pulsar does not ask for is an error of the adapter: every bundle of a trial is to be split.
 */
public final class UnloadingQuestion implements Question {
    private ModularUnloads modular;
    private ExtensibleUnloads extensible;

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        JsonNode splits = Json.list(trial, "splits");
        boolean unload = Json.flag(Json.field(trial, "config"), "loadBalancerAutoUnloadSplitBundlesEnabled");
        Set<String> unloading;
        switch (Json.text(trial, "manager")) {
            case "modular":
                modular = modular == null ? new ModularUnloads(new World()) : modular;
                unloading = modular.unloading(splits, Json.texts(trial, "brokers"), unload);
                break;
            case "extensible":
                extensible = extensible == null ? new ExtensibleUnloads(new World()) : extensible;
                unloading = extensible.unloading(splits, unload);
                break;
            default:
                throw new BadTrial("unknown manager " + trial.get("manager"));
        }
        ObjectNode answer = Json.object();
        ArrayNode unloads = answer.putArray("unloads");
        splits.forEach(split -> unloads.add(unloading.contains(Json.text(split, "bundle"))));
        return answer;
    }
}
