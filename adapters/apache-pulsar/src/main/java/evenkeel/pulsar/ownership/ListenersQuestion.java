package evenkeel.pulsar.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.lookup.LookupResult;
import org.apache.pulsar.broker.namespace.LookupOptions;
import org.apache.pulsar.common.naming.NamespaceBundle;
import org.apache.pulsar.policies.data.loadbalancer.AdvertisedListener;

/** {@code ownership.listeners}: the same as {@code ownership.locks}, one broker that advertises listeners. */
public final class ListenersQuestion implements Question {
    private static final String HOST = "pulsar://listener-";

    @Override
    public JsonNode answer(JsonNode trial) throws Throwable {
        Map<String, AdvertisedListener> advertised = new LinkedHashMap<>();
        for (JsonNode name : Json.list(trial, "advertised")) {
            advertised.put(name.asText(), AdvertisedListener.builder()
                    .brokerServiceUrl(URI.create(HOST + advertised.size() + ":6650")).build());
        }
        JsonNode starting = trial.path("starting");
        LockWorld world = new LockWorld(1, 0, advertised, starting.size() > 0);
        NamespaceBundle bundle = LocksQuestion.bundle(world, 0, "plain", 0);
        world.add(bundle);
        List<String> names = List.copyOf(advertised.keySet());
        ArrayNode early = Json.array();
        for (JsonNode arrival : starting) {
            if (arrival.asText().equals("notice")) {
                Notices.deliver(world.broker(0).pulsar);
            } else {
                CompletableFuture<Optional<LookupResult>> asked = ask(world, bundle, NullNode.instance);
                world.settle();
                early.add(told(asked, names));
            }
        }
        world.broker(0).pulsar.starting = false;
        List<CompletableFuture<Optional<LookupResult>>> together = new ArrayList<>();
        for (JsonNode listener : Json.list(trial, "together")) {
            together.add(ask(world, bundle, listener));
        }
        world.settle();
        ObjectNode answer = Json.object();
        ArrayNode first = answer.putArray("together");
        together.forEach(asked -> first.add(told(asked, names)));
        ArrayNode later = answer.putArray("later");
        for (JsonNode listener : Json.list(trial, "later")) {
            CompletableFuture<Optional<LookupResult>> asked = ask(world, bundle, listener);
            world.settle();
            later.add(told(asked, names));
        }
        answer.set("starting", early);
        return answer;
    }

    private static CompletableFuture<Optional<LookupResult>> ask(LockWorld world, NamespaceBundle bundle,
                                                                 JsonNode listener) throws Throwable {
        LookupOptions.LookupOptionsBuilder options = LookupOptions.builder().authoritative(true);
        if (!listener.isNull()) {
            options.advertisedListenerName(listener.asText());
        }
        return world.broker(0).lookUp(bundle, options.build());
    }

    private static ObjectNode told(CompletableFuture<Optional<LookupResult>> asked, List<String> names) {
        ObjectNode told = Json.object();
        if (!asked.isDone() || asked.isCompletedExceptionally() || asked.join().isEmpty()) {
            return told.put("found", false).putNull("listener");
        }
        String url = asked.join().get().getLookupData().getBrokerUrl();
        told.put("found", true);
        if (url == null) {
            return told.put("listener", "");
        }
        return url.startsWith(HOST)
                ? told.put("listener", names.get(Integer.parseInt(url.substring(HOST.length(), url.lastIndexOf(':')))))
                : told.putNull("listener");
    }
}
