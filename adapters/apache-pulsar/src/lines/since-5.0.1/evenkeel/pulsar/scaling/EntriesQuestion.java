package evenkeel.pulsar.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import evenkeel.pulsar.Json;
import evenkeel.pulsar.Question;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.CryptoKeyReader;
import org.apache.pulsar.client.api.MessageCrypto;
import org.apache.pulsar.client.api.TypedMessageBuilder;
import org.apache.pulsar.client.impl.EvenkeelProducer;
import org.apache.pulsar.client.impl.conf.ProducerConfigurationData;
import org.apache.pulsar.client.impl.v5.EvenkeelEntries;

/** {@code scaling.entries}: the producer of a segment, as the producer of its topic makes it. */
public final class EntriesQuestion implements Question {
    private static final long LATER = 4_000_000_000_000L;

    @Override
    public JsonNode answer(JsonNode trial) {
        EvenkeelProducer producer = new EvenkeelProducer(settings(trial));
        long place = 0;
        for (JsonNode sent : Json.list(trial, "messages")) {
            TypedMessageBuilder<byte[]> message = producer.newMessage().sequenceId(place++).value(new byte[1]);
            if (sent.hasNonNull("key")) {
                message.key(sent.get("key").textValue());
            }
            if (Json.flag(sent, "delayed")) {
                message.deliverAt(LATER);
            }
            message.sendAsync();
        }
        ObjectNode answer = Json.object().put("buckets", true);
        ArrayNode entries = answer.putArray("entries");
        producer.publish((places, metadata) -> {
            ObjectNode entry = entries.addObject();
            ArrayNode messages = entry.putArray("messages");
            places.forEach(messages::add);
            if (metadata.hasEntryHashMin() || metadata.hasEntryHashMax()) {
                entry.putObject("stamp").put("least", metadata.getEntryHashMin()).put("most", metadata.getEntryHashMax());
            } else {
                entry.putNull("stamp");
            }
        });
        return answer;
    }

    private static ProducerConfigurationData settings(JsonNode trial) {
        ProducerConfigurationData settings = new ProducerConfigurationData();
        settings.setTopicName("persistent://public/default/segment");
        settings.setProducerName("producer");
        settings.setSendTimeoutMs(0);
        settings.setBatchingMaxPublishDelayMicros(1, TimeUnit.DAYS);
        settings.setBatchingMaxMessages(Json.small(trial, "max_messages"));
        settings.setBatchingEnabled(Json.flag(trial, "batching"));
        if (Json.flag(trial, "encrypted")) {
            settings.setEncryptionKeys(Set.of("key"));
            settings.setCryptoKeyReader(stand(CryptoKeyReader.class));
            settings.setMessageCrypto(stand(MessageCrypto.class));
        }
        EvenkeelEntries.configure(settings, Json.integers(trial, "splits").stream().map(Math::toIntExact).toList());
        return settings;
    }

    /** Keys that are there, and a cipher that changes nothing. */
    private static <T> T stand(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, EntriesQuestion::call));
    }

    private static Object call(Object self, Method method, Object[] arguments) {
        return switch (method.getName()) {
            case "getMaxOutputSize" -> arguments[0];
            case "encrypt" -> {
                ByteBuffer from = (ByteBuffer) arguments[3];
                ByteBuffer to = (ByteBuffer) arguments[4];
                to.put(from);
                to.flip();
                yield null;
            }
            case "removeKeyCipher", "decrypt", "equals" -> false;
            case "hashCode" -> 0;
            case "toString" -> "a stand-in";
            default -> null;
        };
    }
}
