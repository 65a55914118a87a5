package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Refused;
import evenkeel.pulsar.standin.Registration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitState.StorageType;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateData;
import org.apache.pulsar.broker.loadbalance.extensions.channel.ServiceUnitStateDataConflictResolver;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;
import org.apache.pulsar.broker.resources.PulsarResources;
import org.apache.pulsar.metadata.api.MetadataStoreException;

/**
 * Brokers with Pulsar's channels around one topic or one store of records in memory. Each broker reads it at its own
 * pace; Pulsar's resolver says which records stand. Time is virtual.
 */
final class Cluster {
    static final long STABLE_AFTER = 180_000;
    static final BrokerLookupData REGISTRATION = Registration.of(
            "broker:8080", "broker:6650", true, true, "manager", "evenkeel");

    /** Real time may run a little between two readings of the clock; ages are whole seconds in trials. */
    private static final long MARGIN = 500;

    final ServiceConfiguration config;
    final PulsarResources resources;
    final TimedFutures timers;
    final Map<String, Broker> brokers = new LinkedHashMap<>();
    final List<Map<String, Object>> written = new ArrayList<>();
    /** Whether the channel of a new broker starts with it. */
    final boolean starts;
    String leader;
    long now;
    boolean divided;

    private final StorageType storage;
    private final ServiceUnitStateDataConflictResolver resolver;
    private final List<Message> log = new ArrayList<>();
    private final Map<String, View.Stamped> nodes = new HashMap<>();

    /** One message of the topic; {@code kept}: compaction has left it. */
    private static final class Message {
        final String key;
        final View.Stamped record;
        boolean kept = true;

        Message(String key, View.Stamped record) {
            this.key = key;
            this.record = record;
        }
    }

    Cluster(StorageType storage, int size, ServiceConfiguration config, PulsarResources resources,
            TimedFutures timers, ServiceUnitStateDataConflictResolver resolver) {
        this(storage, size, config, resources, timers, resolver, true);
    }

    Cluster(StorageType storage, int size, ServiceConfiguration config, PulsarResources resources,
            TimedFutures timers, ServiceUnitStateDataConflictResolver resolver, boolean starts) {
        this.starts = starts;
        this.storage = storage;
        this.config = config;
        this.resources = resources;
        this.timers = timers;
        this.resolver = resolver;
        for (int index = 0; index < size; index++) {
            brokers.put(name(index), null);
        }
        leader = name(0);
        brokers.replaceAll((name, none) -> new Broker(this, name));
    }

    /**
     * The name of a broker here. Pulsar's monitor goes through lost brokers in the order of a hash set; with these
     * names, unlike with the protocol's b0, b1 and b2, that is the order of their numbers.
     */
    static String name(long number) {
        return "c" + number;
    }

    /** The protocol's name of a broker, null for none. */
    static String protocolName(String name) {
        return name == null ? null : "b" + name.substring(1);
    }

    boolean inNodes() {
        return storage == StorageType.MetadataStore;
    }

    Collection<Broker> all() {
        return brokers.values();
    }

    List<Broker> live() {
        return brokers.values().stream().filter(broker -> broker.alive).toList();
    }

    Broker live(String name) {
        Broker broker = brokers.get(name);
        if (!broker.alive) {
            throw new Refused("Unavailable", name + " does not run");
        }
        return broker;
    }

    boolean isRegistered(String name) {
        Broker broker = brokers.get(name);
        return broker != null && broker.alive && broker.registered;
    }

    boolean isHealthy(String name) {
        Broker broker = brokers.get(name);
        return broker != null && broker.alive && broker.connected && !broker.disabled;
    }

    List<String> registeredBrokers() {
        return brokers.keySet().stream().filter(this::isRegistered).toList();
    }

    Optional<String> select(Set<String> excluded) {
        return live().stream()
                .filter(broker -> broker.registered && !broker.disabled && !excluded.contains(broker.name))
                .map(broker -> broker.name).findFirst();
    }

    // ------------------------------------------------------------------------------------- time

    /** When, by the machine's clock, something happened that is so old in virtual time. */
    long realTimeOf(long virtual) {
        return System.currentTimeMillis() - (now - virtual) + MARGIN;
    }

    /** The record with a timestamp that has the right age now. */
    ServiceUnitStateData aged(View.Stamped record) {
        ServiceUnitStateData data = record.data();
        return new ServiceUnitStateData(data.state(), data.dstBroker(), data.sourceBroker(),
                data.splitServiceUnitToDestBroker(), data.force(), realTimeOf(record.published()),
                data.versionId());
    }

    // ---------------------------------------------------------------------------------- writing

    CompletableFuture<Void> write(Broker broker, String key, ServiceUnitStateData data) {
        View.Stamped record = new View.Stamped(data, now);
        if (!inNodes()) {
            log.add(new Message(key, record));
            note(broker, key, data, true);
            return CompletableFuture.completedFuture(null);
        }
        if (!broker.connected) {
            return unreachable();
        }
        boolean stands = !resolver.shouldKeepLeft(dataOf(nodes.get(key)), data);
        note(broker, key, data, stands);
        if (stands) {
            nodes.put(key, record);
            tell(key);
            readNode(broker, key);
        }
        return CompletableFuture.completedFuture(null);
    }

    CompletableFuture<Void> remove(Broker broker, String key) {
        if (!inNodes()) {
            log.add(new Message(key, null));
            note(broker, key, null, true);
            return CompletableFuture.completedFuture(null);
        }
        if (!broker.connected) {
            return unreachable();
        }
        boolean stands = nodes.remove(key) != null;
        note(broker, key, null, stands);
        if (stands) {
            tell(key);
            readNode(broker, key);
        }
        return CompletableFuture.completedFuture(null);
    }

    private static CompletableFuture<Void> unreachable() {
        return CompletableFuture.failedFuture(new MetadataStoreException("no session"));
    }

    private void note(Broker broker, String key, ServiceUnitStateData data, boolean stands) {
        Map<String, Object> write = new HashMap<>();
        write.put("writer", broker.name);
        write.put("bundle", Ranges.name(key));
        write.put("record", data);
        write.put("stands", stands);
        written.add(write);
    }

    private void tell(String key) {
        for (Broker broker : live()) {
            if (broker.connected && !broker.told.contains(key)) {
                broker.told.add(key);
            }
        }
    }

    // ---------------------------------------------------------------------------------- reading

    /** The broker reads the next change: the bundle's key, or null if there is none. */
    String readOne(Broker broker) {
        if (inNodes()) {
            if (broker.told.isEmpty() || !broker.connected) {
                return null;
            }
            String key = broker.told.poll();
            readNode(broker, key);
            return key;
        }
        while (broker.position < log.size()) {
            Message message = log.get(broker.position++);
            if (message.kept) {
                if (fold(broker.view, message)) {
                    broker.view.tell(message.key);
                }
                return message.key;
            }
        }
        return null;
    }

    private boolean fold(View view, Message message) {
        ServiceUnitStateData update = dataOf(message.record);
        if (resolver.shouldKeepLeft(dataOf(view.stamped(message.key)), update)) {
            return false;
        }
        view.see(message.key, message.record);
        return true;
    }

    private void readNode(Broker broker, String key) {
        View.Stamped record = nodes.get(key);
        View.Stamped before = broker.view.stamped(key);
        boolean same = record == null ? before == null : record.same(before);
        if (!same) {
            broker.view.see(key, record);
            broker.view.tell(key);
        }
    }

    void catchUp(Broker broker) {
        while (readOne(broker) != null) {
            continue;
        }
    }

    /** What a broker knows that has just begun. */
    void fill(Broker broker, View view) {
        if (inNodes()) {
            nodes.forEach(view::see);
            return;
        }
        for (; broker.position < log.size(); broker.position++) {
            if (log.get(broker.position).kept) {
                fold(view, log.get(broker.position));
            }
        }
    }

    /** Of what all have read, each bundle's standing message is left. */
    void compact() {
        int horizon = live().stream().mapToInt(broker -> broker.position).min().orElse(log.size());
        View reader = new View();
        Map<String, Message> standing = new HashMap<>();
        for (Message message : log.subList(0, horizon)) {
            if (message.kept && fold(reader, message)) {
                standing.put(message.key, message);
            }
        }
        Set<Message> left = new HashSet<>();
        standing.forEach((key, message) -> {
            if (reader.stamped(key) != null) {
                left.add(message);
            }
        });
        log.subList(0, horizon).forEach(message -> message.kept = left.contains(message));
    }

    private static ServiceUnitStateData dataOf(View.Stamped record) {
        return record == null ? null : record.data();
    }
}
