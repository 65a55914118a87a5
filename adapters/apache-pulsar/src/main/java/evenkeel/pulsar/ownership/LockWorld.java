package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Failure;
import evenkeel.pulsar.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.lookup.LookupResult;
import org.apache.pulsar.broker.namespace.ServiceUnitUtils;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.policies.data.loadbalancer.AdvertisedListener;

/** Several brokers over one metadata store. Nothing happens by itself. */
final class LockWorld {
    private static final int MOST_STEPS = 1000;
    private static final int MOST_HOPS = 8;
    private static final int ASKED = -1;
    private static final String REGISTRATIONS = "/loadbalance/brokers/";

    /** What a lookup or an unload came to; the broker is null where none is named. */
    record Ended(int number, String outcome, Integer broker, boolean authoritative) {
        ObjectNode told(int of) {
            ObjectNode told = Json.object().put("number", of).put("outcome", outcome);
            return told.put("broker", broker).put("authoritative", authoritative);
        }
    }

    final LockNodes nodes = new LockNodes();
    final Map<String, AdvertisedListener> listeners;
    /** Brokers are constructed without name and addresses. */
    final boolean starting;
    private final List<LockBroker> brokers = new ArrayList<>();
    private final List<LockStore> sessions = new ArrayList<>();
    private final List<boolean[]> alive = new ArrayList<>();
    private final List<LockStore> lingering = new ArrayList<>();
    private final List<Integer> lingeringOf = new ArrayList<>();
    private final List<NamespaceBundle> bundles = new ArrayList<>();
    private final List<String> paths = new ArrayList<>();
    private List<Ended> ended = new ArrayList<>();

    LockWorld(int count, Integer leader, Map<String, AdvertisedListener> listeners) {
        this(count, leader, listeners, false);
    }

    LockWorld(int count, Integer leader, Map<String, AdvertisedListener> listeners, boolean starting) {
        this.listeners = listeners;
        this.starting = starting;
        for (int number = 0; number < count; number++) {
            alive.add(new boolean[] {true});
            brokers.add(null);
            start(number);
            brokers.get(number).election.tell(leader);
        }
    }

    private void start(int number) {
        brokers.set(number, new LockBroker(number, this));
    }

    void add(NamespaceBundle bundle) {
        bundles.add(bundle);
        paths.add(ServiceUnitUtils.path(bundle));
    }

    int size() {
        return brokers.size();
    }

    int bundles() {
        return bundles.size();
    }

    LockBroker broker(int number) {
        return brokers.get(number);
    }

    private boolean running(int number) {
        return alive.get(number)[0];
    }

    // -------------------------------------------------------------------- what brokers are told

    private boolean registered(int number) {
        LockBroker broker = brokers.get(number);
        return broker != null && !broker.store.expired() && !broker.stopping;
    }

    Set<String> available() {
        Set<String> ids = new TreeSet<>();
        for (int number = 0; number < brokers.size(); number++) {
            if (registered(number)) {
                ids.add(LockPulsar.id(number));
            }
        }
        return ids;
    }

    Optional<String> pick(int preferred) {
        for (int step = 0; step < brokers.size(); step++) {
            int number = (preferred + step) % brokers.size();
            if (registered(number)) {
                return Optional.of(LockPulsar.id(number));
            }
        }
        return Optional.empty();
    }

    Optional<byte[]> registration(String path) {
        for (int number = 0; number < brokers.size(); number++) {
            if (registered(number) && path.equals(REGISTRATIONS + LockPulsar.id(number))) {
                return Optional.of(Json.object().put("webServiceUrl", LockPulsar.webUrl(number))
                        .put("pulsarServiceUrl", LockPulsar.url(number))
                        .toString().getBytes(StandardCharsets.UTF_8));
            }
        }
        return Optional.empty();
    }

    // -------------------------------------------------------------------------------- commands

    void lookUp(int number, int at, int bundle, boolean authoritative, boolean readOnly, int preferred)
            throws Throwable {
        if (!running(at)) {
            ended.add(new Ended(number, "failed", null, false));
            return;
        }
        LockBroker broker = brokers.get(at);
        broker.lookUp(bundles.get(bundle), authoritative, readOnly, preferred)
                .whenComplete((result, thrown) -> ended.add(found(number, result, thrown)));
    }

    private static Ended found(int number, Optional<LookupResult> result, Throwable thrown) {
        if (thrown != null) {
            String message = String.valueOf(Failure.unwrap(thrown).getMessage());
            return new Ended(number, message.contains("being unloaded") ? "unloading" : "failed", null, false);
        }
        if (result.isEmpty()) {
            return new Ended(number, "empty", null, false);
        }
        String url = result.get().getLookupData().getBrokerUrl();
        int named = Integer.parseInt(url.replaceAll("^pulsar://broker-(\\d+):6650$", "$1"));
        return result.get().isRedirect()
                ? new Ended(number, "redirect", named, result.get().isAuthoritativeRedirect())
                : new Ended(number, "owner", named, false);
    }

    void unload(int number, int at, int bundle) {
        if (!running(at)) {
            ended.add(new Ended(number, "refused", null, false));
            return;
        }
        CompletableFuture<Void> unloaded = brokers.get(at).namespaces.unloadNamespaceBundle(bundles.get(bundle));
        boolean atOnce = unloaded.isDone();
        unloaded.whenComplete((nothing, thrown) -> {
            boolean refused = atOnce && Failure.unwrap(thrown) instanceof IllegalStateException;
            String outcome = thrown == null ? "done" : refused ? "refused" : "failed";
            ended.add(new Ended(number, outcome, null, false));
        });
    }

    void answer(int at, int bundle) {
        if (running(at)) {
            brokers.get(at).store.answer(paths.get(bundle));
        }
    }

    void fail(int at, int bundle, boolean done) {
        if (running(at)) {
            brokers.get(at).store.fail(paths.get(bundle), done);
        }
    }

    void deliver(int at, int bundle) {
        if (running(at)) {
            brokers.get(at).store.deliver(paths.get(bundle));
        }
    }

    void closed(int at, int bundle, String how) {
        if (running(at)) {
            brokers.get(at).topics.end(bundles.get(bundle), how);
        }
    }

    void retry(int at) {
        if (running(at)) {
            brokers.get(at).retries.runOldest();
        }
    }

    void disconnect(int at) {
        if (running(at)) {
            brokers.get(at).store.disconnect();
        }
    }

    void expire(int at) {
        int old = lingeringOf.indexOf(at);
        if (old >= 0) {
            lingeringOf.remove(old);
            nodes.end(lingering.remove(old).session());
        } else if (!brokers.get(at).store.expired()) {
            brokers.get(at).store.expire();
        }
    }

    void reconnect(int at) {
        if (running(at) && !brokers.get(at).store.lives()) {
            brokers.get(at).store.reconnect();
        }
    }

    void crash(int at) {
        if (running(at)) {
            alive.get(at)[0] = false;
            nodes.forget(brokers.get(at).store);
        }
    }

    void restart(int at) {
        if (!running(at)) {
            LockStore old = brokers.get(at).store;
            if (!old.expired()) {
                lingering.add(old);
                lingeringOf.add(at);
            }
            alive.get(at)[0] = true;
            start(at);
        }
    }

    void stop(int at) {
        if (running(at)) {
            LockBroker broker = brokers.get(at);
            broker.stopping = true;
            broker.namespaces.getOwnershipCache().getOwnedBundles().keySet()
                    .forEach(broker.namespaces::unloadNamespaceBundle);
        }
    }

    // --------------------------------------------------------------------------- fair schedules

    void settle() {
        for (int number = 0; number < brokers.size(); number++) {
            while (lingeringOf.contains(number)) {
                expire(number);
            }
            if (running(number)) {
                reconnect(number);
            } else {
                expire(number);
            }
            goOn();
        }
        Integer leader = null;
        for (int number = brokers.size() - 1; number >= 0; number--) {
            leader = running(number) && !brokers.get(number).stopping ? Integer.valueOf(number) : leader;
        }
        for (LockBroker broker : brokers) {
            broker.election.tell(leader);
        }
        drain();
    }

    private void drain() {
        for (int step = 0; step < MOST_STEPS && turn(); step++) {
            goOn();
        }
    }

    private boolean turn() {
        boolean busy = false;
        for (int at = 0; at < brokers.size(); at++) {
            if (!running(at)) {
                continue;
            }
            for (int bundle = 0; bundle < bundles.size(); bundle++) {
                busy |= turn(brokers.get(at), bundle);
            }
            if (brokers.get(at).retries.isWaiting()) {
                retry(at);
                goOn();
                busy = true;
            }
        }
        return busy;
    }

    private boolean turn(LockBroker broker, int bundle) {
        boolean asked = broker.store.asked(paths.get(bundle));
        boolean told = broker.store.notified(paths.get(bundle));
        boolean closing = broker.topics.closing(bundles.get(bundle));
        if (asked) {
            answer(broker.number, bundle);
            goOn();
        }
        if (told) {
            deliver(broker.number, bundle);
            goOn();
        }
        if (closing) {
            closed(broker.number, bundle, "closed");
            goOn();
        }
        return asked || told || closing;
    }

    /** Lets everything go on that needs no further command. */
    void goOn() {
        for (LockBroker broker : brokers) {
            broker.forgetRegistrations();
            broker.settle();
        }
    }

    // ---------------------------------------------------------------------------------- clients

    private Ended ask(int at, int bundle, boolean authoritative, boolean readOnly, int preferred) throws Throwable {
        lookUp(ASKED, at, bundle, authoritative, readOnly, preferred);
        goOn();
        drain();
        Ended result = null;
        for (Ended entry : List.copyOf(ended)) {
            if (entry.number() == ASKED) {
                result = result == null ? entry : result;
                ended.remove(entry);
            }
        }
        return result;
    }

    ArrayNode find(int start, int bundle, int preferred) throws Throwable {
        settle();
        ArrayNode hops = Json.array();
        int at = start;
        boolean authoritative = false;
        while (hops.size() < MOST_HOPS && running(at)) {
            Ended told = ask(at, bundle, authoritative, false, preferred);
            if (told == null) {
                break;
            }
            hops.add(told.told(at));
            if (told.broker() == null || told.outcome().equals("owner") && serves(told.broker(), bundle)) {
                break;
            }
            at = told.broker();
            authoritative = told.authoritative();
        }
        return hops;
    }

    ArrayNode views(int bundle) throws Throwable {
        settle();
        ArrayNode seen = Json.array();
        for (int at = 0; at < brokers.size(); at++) {
            Ended told = running(at) ? ask(at, bundle, false, true, 0) : null;
            if (told != null) {
                seen.add(told.told(at));
            }
        }
        return seen;
    }

    private boolean serves(int at, int bundle) {
        return standing(at, bundle).equals("serving");
    }

    private String standing(int at, int bundle) {
        return running(at) ? brokers.get(at).standing(bundles.get(bundle)) : "none";
    }

    /** What is to be seen now, and what has ended since it was last looked at. */
    ObjectNode seen(ArrayNode asked) {
        ObjectNode step = Json.object().put("do", "step");
        ArrayNode over = step.putArray("ended");
        ended.sort(Comparator.comparingInt(Ended::number));
        ended.forEach(entry -> over.add(entry.told(entry.number())));
        ended = new ArrayList<>();
        step.set("asked", asked);
        ArrayNode standings = step.putArray("standings");
        for (int at = 0; at < brokers.size(); at++) {
            ArrayNode row = standings.addArray();
            for (int bundle = 0; bundle < bundles.size(); bundle++) {
                row.add(standing(at, bundle));
            }
        }
        ArrayNode holders = step.putArray("holders");
        for (String path : paths) {
            LockNodes.Node node = nodes.byPath.get(path);
            holders.add(node == null ? null : holder(node));
        }
        return step;
    }

    private static Integer holder(LockNodes.Node node) {
        String text = new String(node.value(), StandardCharsets.UTF_8);
        return Integer.valueOf(text.replaceAll("^.*pulsar://broker-(\\d+):6650.*$", "$1"));
    }
}
