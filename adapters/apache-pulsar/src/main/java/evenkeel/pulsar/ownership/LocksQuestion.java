package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.util.Map;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.common.naming.NamespaceName;

/**
 * {@code ownership.locks}: Pulsar's {@link NamespaceService}, ownership cache and lock manager in several brokers,
 * whose metadata store answers when it is told to.
 */
public final class LocksQuestion implements Question {
    private static final long WIDTH = 0x10000000L;

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        int count = Json.small(trial, "brokers");
        LockWorld world = new LockWorld(count, number(trial, "leader", count), Map.of());
        int place = 0;
        for (JsonNode bundle : Json.list(trial, "bundles")) {
            world.add(bundle(world, place++, Json.text(bundle, "sort"), index(bundle, "broker", count)));
        }
        int[] next = {0};
        return CommandList.answer(trial, (command, arguments) -> {
            ArrayNode asked = perform(world, next[0]++, command, arguments);
            world.goOn();
            return world.seen(asked);
        });
    }

    static NamespaceBundle bundle(LockWorld world, int place, String sort, int broker) {
        NamespaceName namespace = NamespaceName.get(switch (sort) {
            case "plain" -> "public/default";
            case "heartbeat" -> SystemNamespaces.heartbeat(LockPulsar.id(broker));
            case "monitor" -> SystemNamespaces.monitor(LockPulsar.id(broker));
            default -> throw CommandList.unknown(sort);
        });
        Range<Long> range = Range.range(place * WIDTH, BoundType.CLOSED, (place + 1) * WIDTH, BoundType.OPEN);
        return world.broker(0).namespaces.getNamespaceBundleFactory().getBundle(namespace, range);
    }

    private static ArrayNode perform(LockWorld world, int number, String command, JsonNode arguments)
            throws Throwable {
        if (command.equals("settle")) {
            world.settle();
            return Json.array();
        }
        if (command.equals("views")) {
            return world.views(index(arguments, "bundle", world.bundles()));
        }
        int broker = index(arguments, "broker", world.size());
        if (arguments.has("bundle")) {
            return ofBundle(world, number, command, arguments, broker);
        }
        switch (command) {
            case "retry" -> world.retry(broker);
            case "disconnect" -> world.disconnect(broker);
            case "expire" -> world.expire(broker);
            case "reconnect" -> world.reconnect(broker);
            case "crash" -> world.crash(broker);
            case "restart" -> world.restart(broker);
            case "stop" -> world.stop(broker);
            case "elect" -> world.broker(broker).election.tell(number(arguments, "leader", world.size()));
            default -> throw CommandList.unknown(command);
        }
        return Json.array();
    }

    private static ArrayNode ofBundle(LockWorld world, int number, String command, JsonNode arguments, int broker)
            throws Throwable {
        int bundle = index(arguments, "bundle", world.bundles());
        switch (command) {
            case "lookup" -> world.lookUp(number, broker, bundle, Json.flag(arguments, "authoritative"),
                    Json.flag(arguments, "read_only"), index(arguments, "preferred", world.size()));
            case "answer" -> world.answer(broker, bundle);
            case "fail" -> world.fail(broker, bundle, Json.flag(arguments, "done"));
            case "notify" -> world.deliver(broker, bundle);
            case "unload" -> world.unload(number, broker, bundle);
            case "closed" -> world.closed(broker, bundle, Json.text(arguments, "how"));
            case "find" -> {
                return world.find(broker, bundle, index(arguments, "preferred", world.size()));
            }
            default -> throw CommandList.unknown(command);
        }
        return Json.array();
    }

    private static int index(JsonNode arguments, String name, int size) {
        return Json.small(arguments, name) % size;
    }

    private static Integer number(JsonNode arguments, String name, int size) {
        return Json.field(arguments, name).isNull() ? null : Integer.valueOf(index(arguments, name, size));
    }
}
