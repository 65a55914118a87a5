package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import evenkeel.pulsar.CommandList;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.NotHere;
import evenkeel.pulsar.Refused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;
import org.apache.pulsar.broker.loadbalance.extensions.models.Split;
import org.apache.pulsar.broker.loadbalance.extensions.models.Unload;
import org.apache.pulsar.metadata.api.extended.SessionEvent;

/** What can happen to a cluster, one method for each command of the protocol. */
final class Commands {
    private static final long WAITING = 30_000;
    private static final long CLOSING = 60_000;
    private static final int ROUNDS = 8;

    private final Cluster cluster;
    /** Lookups that ended during the present command: an owner, none, or an error. */
    final Map<Integer, Optional<Optional<String>>> ended = new LinkedHashMap<>();

    Commands(Cluster cluster) {
        this.cluster = cluster;
    }

    JsonNode perform(int ticket, String command, JsonNode arguments) {
        switch (command) {
            case "elapse" -> advance(Json.integer(arguments, "millis"));
            case "compact" -> cluster.compact();
            case "settle" -> settle();
            default -> {
                return at(Cluster.name(Json.integer(arguments, "broker")), ticket, command, arguments);
            }
        }
        return CommandList.done();
    }

    private JsonNode at(String name, int ticket, String command, JsonNode arguments) {
        switch (command) {
            case "restart" -> restart(name);
            case "read" -> {
                String key = cluster.readOne(cluster.live(name));
                return Json.object().put("do", "read_of").put("bundle", key == null ? null : Ranges.name(key));
            }
            default -> perform(cluster.live(name), ticket, command, arguments);
        }
        return CommandList.done();
    }

    private void perform(Broker broker, int ticket, String command, JsonNode arguments) {
        switch (command) {
            case "ask" -> ask(broker, ticket, key(arguments));
            case "assign" -> assign(broker, ticket, key(arguments), Cluster.name(Json.integer(arguments, "to")));
            case "unload" -> unload(broker, key(arguments), Json.field(arguments, "to"));
            case "unload_namespace" -> unloadNamespace(broker);
            case "split" -> split(broker);
            case "finish" -> finish(broker, key(arguments), Json.flag(arguments, "fails"));
            case "notice" -> notice(broker);
            case "clean" -> clean(broker);
            case "monitor" -> monitor(broker);
            case "crash" -> crash(broker);
            case "lose_session" -> lose(broker);
            case "regain_session" -> regain(broker);
            case "shut_down" -> shutDown(broker);
            case "elect" -> elect(broker);
            default -> throw CommandList.unknown(command);
        }
    }

    private static String key(JsonNode arguments) {
        return Ranges.key(Json.text(arguments, "bundle"));
    }

    // ---------------------------------------------------------------------------------- clients

    private void ask(Broker broker, int ticket, String key) {
        await(broker, ticket, broker.channel.getOwnerAsync(key));
    }

    private void assign(Broker broker, int ticket, String key, String to) {
        await(broker, ticket, broker.channel.publishAssignEventAsync(key, to).thenApply(Optional::ofNullable));
    }

    private void await(Broker broker, int ticket, CompletableFuture<Optional<String>> lookup) {
        broker.waiting.put(ticket, lookup);
        lookup.whenComplete((owner, failed) -> {
            if (broker.waiting.remove(ticket) != null) {
                ended.put(ticket, failed == null ? Optional.of(owner) : Optional.empty());
            }
        });
        for (Runnable timeout : cluster.timers.added()) {
            broker.timeouts.put(timeout, cluster.now);
        }
    }

    private static String owner(Broker broker, String key) {
        ServiceUnitStateData data = broker.view.get(key);
        if (data == null || data.state() != ServiceUnitState.Owned) {
            throw new Refused("NotOwned", key + " has no owner");
        }
        return data.dstBroker();
    }

    private void unload(Broker broker, String key, JsonNode to) {
        Optional<String> destination = to.isNull() ? Optional.empty() : Optional.of(Cluster.name(to.longValue()));
        published(broker.channel.publishUnloadEventAsync(new Unload(owner(broker, key), key, destination)));
    }

    /** One unload after the other, as the admin service asks for them; what nobody owns is passed over. */
    private void unloadNamespace(Broker broker) {
        List<String> bundles = cluster.divided ? Ranges.KEYS.subList(1, 3) : Ranges.KEYS.subList(0, 1);
        for (String key : bundles) {
            ServiceUnitStateData data = broker.view.get(key);
            if (data != null && data.state() == ServiceUnitState.Owned) {
                published(broker.channel.publishUnloadEventAsync(new Unload(data.dstBroker(), key, Optional.empty())));
            }
        }
    }

    private void split(Broker broker) {
        String parent = Ranges.KEYS.get(0);
        Map<String, Optional<String>> children = new LinkedHashMap<>();
        children.put(Ranges.LEFT, Optional.empty());
        children.put(Ranges.RIGHT, Optional.empty());
        published(broker.channel.publishSplitEventAsync(new Split(parent, owner(broker, parent), children)));
    }

    private static void published(CompletableFuture<Void> publishing) {
        if (publishing.isCompletedExceptionally()) {
            throw new Unreachable();
        }
    }

    /** The metadata store cannot be reached. */
    static final class Unreachable extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    // ----------------------------------------------------------------------------------- inside

    private void finish(Broker broker, String key, boolean fails) {
        Broker.Work work = broker.works.stream().filter(one -> one.key.equals(key)).findFirst()
                .orElseThrow(() -> new Refused("Unavailable", broker.name + " does nothing about " + key));
        broker.end(work, fails);
    }

    private void notice(Broker broker) {
        Broker.Seen seen = broker.notices.poll();
        if (seen != null) {
            broker.settleSessionClock();
            broker.channel.registrationChanged(seen.broker(), seen.present());
            broker.noteCleanUps();
        }
    }

    private boolean clean(Broker broker) {
        broker.view.beginCleanUp();
        return broker.cleanUps.run(cluster.timers, cluster.now, broker.view::beginCleanUp);
    }

    private void monitor(Broker broker) {
        broker.view.beginCleanUp();
        broker.settleSessionClock();
        broker.channel.monitor();
        broker.noteCleanUps();
    }

    // ---------------------------------------------------------------------- brokers come and go

    private void crash(Broker broker) {
        for (int ticket : new ArrayList<>(broker.waiting.keySet())) {
            broker.waiting.remove(ticket);
            ended.put(ticket, Optional.empty());
        }
        broker.timeouts.clear();
        broker.alive = false;
        broker.serves.clear();
        broker.works.clear();
        broker.notices.clear();
        unregister(broker);
        resign(broker);
    }

    private void restart(String name) {
        if (cluster.brokers.get(name).alive) {
            throw new Refused("Unavailable", name + " runs");
        }
        Broker broker = new Broker(cluster, name);
        announce(broker, true);
    }

    private void lose(Broker broker) {
        if (!broker.connected) {
            throw new Refused("Unavailable", broker.name + " has no session");
        }
        broker.connected = false;
        broker.told.clear();
        broker.notices.clear();
        unregister(broker);
        resign(broker);
        broker.session.accept(SessionEvent.SessionLost);
        if (cluster.inNodes()) {
            broker.view.distrust();
        }
    }

    private void regain(Broker broker) {
        if (broker.connected) {
            throw new Refused("Unavailable", broker.name + " has a session");
        }
        broker.connected = true;
        broker.stableFrom = cluster.now;
        broker.session.accept(SessionEvent.SessionReestablished);
        if (!broker.disabled) {
            broker.registered = true;
            announce(broker, true);
        }
        if (cluster.inNodes()) {
            cluster.fill(broker, broker.view);
            broker.view.tellExisting();
        }
    }

    private void shutDown(Broker broker) {
        if (broker.disabled) {
            throw new Refused("Unavailable", broker.name + " is shutting down already");
        }
        broker.disabled = true;
        broker.view.beginCleanUp();
        try {
            broker.channel.cleanOwnerships();
        } catch (View.WaitedLongEnough waited) {
            broker.view.beginCleanUp();
        }
        resign(broker);
        unregister(broker);
    }

    private void resign(Broker broker) {
        if (broker.name.equals(cluster.leader)) {
            cluster.leader = null;
        }
    }

    private void unregister(Broker broker) {
        if (broker.registered) {
            broker.registered = false;
            announce(broker, false);
        }
    }

    private void announce(Broker broker, boolean present) {
        for (Broker other : cluster.live()) {
            if (other != broker && other.connected) {
                other.notices.add(new Broker.Seen(broker.name, present));
            }
        }
    }

    private void elect(Broker broker) {
        if (!broker.registered || broker.disabled) {
            throw new Refused("Unavailable", broker.name + " cannot lead");
        }
        cluster.leader = broker.name;
    }

    // ------------------------------------------------------------------------------------- time

    private void advance(long millis) {
        if (millis % 1000 != 0) {
            throw new NotHere("ages are compared in whole seconds here");
        }
        cluster.now += millis;
        for (Broker broker : cluster.live()) {
            for (Map.Entry<Runnable, Long> timeout : List.copyOf(broker.timeouts.entrySet())) {
                if (cluster.now - timeout.getValue() >= WAITING) {
                    broker.timeouts.remove(timeout.getKey());
                    cluster.timers.run(timeout.getKey());
                }
            }
            for (Broker.Work work : List.copyOf(broker.works)) {
                if (!work.divides && cluster.now - work.begun >= CLOSING) {
                    broker.end(work, false);
                }
            }
        }
    }

    private void settle() {
        if (candidates().isEmpty()) {
            throw new Refused("Unavailable", "no broker is left that could lead");
        }
        for (int round = 0; round < ROUNDS; round++) {
            rest();
            advance(61_000);
            rest();
            if (cluster.leader == null) {
                elect(candidates().get(0));
            }
            cluster.live().forEach(this::monitor);
        }
        rest();
    }

    private List<Broker> candidates() {
        return cluster.live().stream().filter(broker -> broker.registered && !broker.disabled).toList();
    }

    private void rest() {
        boolean busy = true;
        while (busy) {
            busy = false;
            for (Broker broker : cluster.live()) {
                busy |= stepAnything(broker);
            }
        }
    }

    private boolean stepAnything(Broker broker) {
        int before = cluster.written.size();
        cluster.catchUp(broker);
        List<Broker.Work> works = List.copyOf(broker.works);
        for (Broker.Work work : works) {
            if (broker.works.contains(work)) {
                broker.end(work, false);
            }
        }
        boolean seen = !broker.notices.isEmpty();
        while (!broker.notices.isEmpty()) {
            notice(broker);
        }
        clean(broker);
        return !works.isEmpty() || seen || cluster.written.size() > before;
    }
}
