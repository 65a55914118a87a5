package evenkeel.pulsar;

import static evenkeel.pulsar.Subject.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The protocol itself: greetings, order, and lines that make no sense. */
class SessionTest {
    @Test
    void saysWhoItIs() {
        JsonNode hello = Subject.line("{\"type\":\"hello\",\"protocol\":1,\"options\":{}}");
        assertEquals("apache-pulsar", hello.get("name").textValue());
        assertTrue(hello.get("version").textValue().matches("\\d+\\.\\d+\\.\\d+"), hello.toString());
        assertEquals("java", hello.get("language").textValue());
        Set<String> questions = new HashSet<>();
        hello.get("questions").forEach(name -> assertTrue(questions.add(name.textValue()), "twice: " + name));
        assertTrue(questions.containsAll(List.of("bundles.topic", "shedding.threshold", "throttling.quota")), questions.toString());
        assertEquals(0, hello.get("options").size());
    }

    @Test
    void refusesAnotherProtocol() {
        assertEquals("error", Subject.line("{\"type\":\"hello\",\"protocol\":2}").get("type").textValue());
    }

    @Test
    void answersInOrderUntilBye() throws IOException {
        List<JsonNode> replies = talk("{\"type\":\"hello\",\"protocol\":1,\"options\":{}}",
                "{\"type\":\"trial\",\"id\":1,\"question\":\"bundles.range\",\"trial\":{\"text\":\"0_9\"}}",
                "{\"type\":\"trial\",\"id\":2,\"question\":\"bundles.range\",\"trial\":{\"text\":\"9\"}}",
                "{\"type\":\"bye\"}", "never read");
        assertEquals(4, replies.size());
        assertEquals(1, replies.get(1).get("id").intValue());
        assertEquals(2, replies.get(2).get("id").intValue());
        assertEquals(json("{'type':'bye'}"), replies.get(3));
    }

    @Test
    void stopsWhereTheInputStops() throws IOException {
        assertEquals(1, talk("{\"type\":\"hello\",\"protocol\":1}").size());
        assertEquals(0, talk().size());
    }

    @Test
    void goesOnAfterNonsense() {
        for (String line : List.of("nonsense", "", "[]", "{}", "{\"type\":\"song\"}",
                "{\"type\":\"trial\",\"question\":\"bundles.topic\",\"trial\":{}}",
                "{\"type\":\"trial\",\"id\":\"three\",\"question\":\"bundles.topic\",\"trial\":{}}",
                "{\"type\":\"trial\",\"id\":3,\"trial\":{}}",
                "{\"type\":\"trial\",\"id\":3,\"question\":\"bundles.topic\"}")) {
            JsonNode reply = Subject.line(line);
            assertEquals("error", reply.get("type").textValue(), line);
            assertTrue(reply.get("definite").booleanValue(), line);
            assertTrue(line.contains(":3") ? reply.get("id").intValue() == 3 : reply.get("id").isNull(), line);
        }
    }

    @Test
    void skipsWhatItDoesNotKnow() {
        assertEquals("skipped", Subject.ask("bundles.weight", "{}").get("type").textValue());
    }

    @Test
    void callsAnUnreadableTrialAnErrorOfItsOwn() {
        for (String trial : List.of("{}", "{'text':5}", "{'text':null}")) {
            JsonNode reply = Subject.ask("bundles.topic", trial);
            assertEquals("error", reply.get("type").textValue(), trial);
            assertEquals(7, reply.get("id").intValue());
        }
        JsonNode reply = Subject.ask("bundles.hash_lookup", "{'boundaries':[0,4294967295],'hash':1.5}");
        assertEquals("error", reply.get("type").textValue());
        assertFalse(reply.has("broke"));
    }

    private static List<JsonNode> talk(String... lines) throws IOException {
        StringWriter out = new StringWriter();
        try (BufferedReader in = new BufferedReader(new StringReader(String.join("\n", lines)));
                BufferedWriter writer = new BufferedWriter(out)) {
            new Session(new Questions()).run(in, writer);
        }
        return out.toString().lines().map(Subject::json).toList();
    }
}
