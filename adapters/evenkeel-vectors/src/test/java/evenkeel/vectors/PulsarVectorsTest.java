package evenkeel.vectors;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertTrue;

import evenkeel.vectors.EvenkeelVectors.Outcome;
import evenkeel.vectors.EvenkeelVectors.Vector;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/**
 * The corpus against Apache Pulsar's own classes, behind the adapter of adapters/apache-pulsar, in this process.
 * The adapter is met by reflection, so that this artefact needs no dependency.
 */
public class PulsarVectorsTest {
    private final Object session;
    private final Method reply;
    private final Set<?> offered;
    private final AtomicInteger right = new AtomicInteger();
    private final AtomicInteger unsaid = new AtomicInteger();
    private final AtomicInteger skipped = new AtomicInteger();
    private final long began = System.nanoTime();

    public PulsarVectorsTest() throws ReflectiveOperationException {
        Class<?> questions = Class.forName("evenkeel.pulsar.Questions");
        Object all = questions.getConstructor().newInstance();
        offered = (Set<?>) questions.getMethod("names").invoke(all);
        Constructor<?> made = Class.forName("evenkeel.pulsar.Session").getConstructor(questions);
        session = made.newInstance(all);
        reply = session.getClass().getMethod("reply", String.class);
    }

    @DataProvider
    public Iterator<Object[]> vectors() throws IOException {
        return EvenkeelVectors.rows(v -> v.edition.equals("PULSAR_4_0") && offered.contains(v.question));
    }

    @Test(dataProvider = "vectors")
    public void answersRightly(Vector vector) throws ReflectiveOperationException {
        String line = "{\"type\":\"trial\",\"id\":1,\"question\":\"" + vector.question + "\",\"trial\":" + vector.trial + "}";
        String said = reply.invoke(session, line).toString();
        if (said.contains("\"type\":\"skipped\"")) {
            skipped.incrementAndGet();
            throw new SkipException(said);
        }
        assertTrue(said.startsWith("{\"type\":\"observation\",\"id\":1,"), said);
        String observation = "{" + said.substring("{\"type\":\"observation\",\"id\":1,".length());
        Outcome outcome = vector.outcome(observation);
        (outcome == Outcome.RIGHT ? right : unsaid).incrementAndGet();
        assertEquals(outcome == Outcome.WRONG || outcome == Outcome.DEPARTS ? vector.explain(observation) : "", "");
    }

    /** A runner that objects to nothing would be no runner. */
    @Test
    public void objects() throws IOException {
        int wrong = 0;
        for (Vector vector : EvenkeelVectors.load(v -> v.question.equals("bundles.hash_lookup"))) {
            wrong += vector.outcome("{\"answer\":{\"bundle\":null}}") == Outcome.WRONG ? 1 : 0;
        }
        assertTrue(wrong > 0);
    }

    /** What only practice objects to is no error. */
    @Test
    public void departing() throws IOException {
        int departing = 0;
        for (Vector vector : EvenkeelVectors.load(v -> v.edition.equals("DOCUMENTED"))) {
            departing += vector.outcome("{\"broke\":{\"reason\":\"\"}}") == Outcome.DEPARTS ? 1 : 0;
        }
        assertTrue(departing > 0);
    }

    @AfterClass
    public void count() {
        System.out.printf("evenkeel-vectors: %d right, %d unsaid, %d skipped, %.1f s%n", right.get(), unsaid.get(),
                skipped.get(), (System.nanoTime() - began) / 1e9);
        assertTrue(right.get() > unsaid.get());
    }
}
