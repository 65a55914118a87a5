package evenkeel.pulsar.balancing;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import evenkeel.pulsar.standin.StandInExtensible;
import evenkeel.pulsar.standin.World;
import java.lang.reflect.Method;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.scheduler.UnloadScheduler;
import org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl;

/** {@code balancing.strategy}: what each manager makes of {@code loadBalancerLoadSheddingStrategy}. */
public final class StrategyQuestion implements Question {
    private static final String MODULAR = "org.apache.pulsar.broker.loadbalance.impl.";
    private static final String EXTENSIBLE = "org.apache.pulsar.broker.loadbalance.extensions.scheduler.";

    private final World world = new World();
    private final String byDefault = new ServiceConfiguration().getLoadBalancerLoadSheddingStrategy();
    private final ModularLoadManagerImpl modular = Private.allocate(ModularLoadManagerImpl.class);
    private final Method createModular =
            Private.method(ModularLoadManagerImpl.class, "createLoadSheddingStrategy");
    private final Method createExtensible =
            Private.method(UnloadScheduler.class, "createNamespaceUnloadStrategy", PulsarService.class);

    public StrategyQuestion() {
        Private.set(ModularLoadManagerImpl.class, modular, "conf", world.config);
        StandInExtensible.in(world);
    }

    @Override
    public JsonNode answer(JsonNode trial) throws Exception {
        JsonNode told = Json.field(trial, "strategy");
        world.config.setLoadBalancerLoadSheddingStrategy(told.isNull() ? byDefault : className(told.textValue()));
        Object strategy;
        switch (Json.text(trial, "manager")) {
            case "modular":
                strategy = createModular.invoke(modular);
                break;
            case "extensible":
                strategy = createExtensible.invoke(null, world.pulsar);
                break;
            default:
                throw new BadTrial("unknown manager " + trial.get("manager"));
        }
        return Json.object().put("sheds", strategy.getClass().getSimpleName());
    }

    /** The name in full, as it stands in broker.conf. */
    private static String className(String name) {
        return (name.equals("TransferShedder") ? EXTENSIBLE : MODULAR) + name;
    }
}
