package evenkeel.pulsar.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.BadTrial;
import evenkeel.pulsar.Failure;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Private;
import evenkeel.pulsar.Question;
import java.util.concurrent.ThreadLocalRandom;

/**
 * {@code contract.rebalance}: the strategies that were asked for, inside Pulsar's own manager. {@code open} begins a
 * trial with new strategies, each further turn tells the cluster and asks for moves or for a place.
 */
public final class RebalanceQuestion implements Question {
    private final Chosen chosen;
    private final Manager manager;

    /** Loads the strategies, to see that they can be; throws {@link Unusable}. */
    public RebalanceQuestion(Chosen chosen) {
        this.chosen = chosen;
        Plugins plugins = new Plugins(chosen.classpath());
        manager = chosen.extensible() ? new ExtensiblePlugin(plugins, chosen) : new ModularPlugin(plugins, chosen);
        manager.open();
    }

    @Override
    public JsonNode answer(JsonNode trial) {
        try {
            return turn(Json.text(trial, "do"), trial);
        } catch (Broke | BadTrial sorted) {
            throw sorted;
        } catch (Unusable once) {
            // It could be made when this process began.
            throw new Broke(once);
        } catch (RuntimeException | LinkageError thrown) {
            if (Failure.of(thrown).kind() == Failure.Kind.ADAPTER) {
                throw thrown;
            }
            throw new Broke(Failure.unwrap(thrown));
        }
    }

    /** Lets what chooses at random choose by this seed, so that a trial can be repeated. */
    private static void chooseBy(long seed) {
        ThreadLocalRandom.current();
        Private.set(Thread.class, Thread.currentThread(), "threadLocalRandomSeed", seed);
    }

    private JsonNode turn(String what, JsonNode trial) {
        switch (what) {
            case "open":
                chooseBy(Json.integer(trial, "seed"));
                manager.open();
                return Json.object().set("promises", chosen.promises());
            case "rebalance":
                ObjectNode answer = Json.object();
                ArrayNode moves = answer.putArray("moves");
                for (Manager.Move move : manager.rebalance(new Turn(trial))) {
                    moves.addObject().put("unit", Turn.unit(move.bundle())).put("from", Turn.node(move.from()))
                            .put("to", move.to().map(Turn::node).orElse(null));
                }
                return answer;
            case "place":
                return Json.object().put("node", manager.place(new Turn(trial)).map(Turn::node).orElse(null));
            default:
                throw new BadTrial("there is nothing called " + what + " to do");
        }
    }
}
