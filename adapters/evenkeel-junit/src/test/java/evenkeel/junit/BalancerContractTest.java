package evenkeel.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** What authors see of balancers with defects. */
class BalancerContractTest {
    private static final String COMMAND = System.getProperty("evenkeel.command");

    static class OfRestless implements BalancerContract {
        @Override
        public Balancer balancer() {
            return new Balancers.Restless();
        }
    }

    static class OfForgetful implements BalancerContract {
        @Override
        public Balancer balancer() {
            return new Balancers.Forgetful();
        }

        @Override
        @TestFactory
        public Stream<DynamicTest> contract() {
            List<DynamicTest> checked = BalancerContract.super.contract().toList();
            Balancers.Forgetful.isTired = true;
            return checked.stream();
        }
    }

    static class OfFragile implements BalancerContract {
        @Override
        public Balancer balancer() {
            return new Balancers.Fragile();
        }
    }

    static class OfIdle implements BalancerContract {
        @Override
        public Balancer balancer() {
            return new Balancers.Idle();
        }
    }

    public static class OfRestlessByTestNG extends BalancerContractTestNG {
        @Override
        protected Balancer balancer() {
            return new Balancers.Restless();
        }
    }

    @AfterEach
    void forgetProperties() {
        System.clearProperty("replay");
        System.clearProperty("evenkeel.options");
        System.setProperty("evenkeel.command", COMMAND);
    }

    private static Map<String, TestExecutionResult> run(Class<?> test, String options) {
        System.setProperty("evenkeel.options", "--no-last-failures " + options);
        Events tests = EngineTestKit.engine("junit-jupiter").selectors(selectClass(test)).execute().allEvents();
        Map<String, TestExecutionResult> results = new TreeMap<>();
        tests.finished().stream().forEach(event -> results.put(event.getTestDescriptor().getDisplayName(),
                event.getRequiredPayload(TestExecutionResult.class)));
        return results;
    }

    private static Throwable failureOf(TestExecutionResult result) {
        assertEquals(TestExecutionResult.Status.FAILED, result.getStatus());
        return result.getThrowable().orElseThrow();
    }

    @Test
    void aBreachIsToldAndReplayedWithoutEvenkeel() throws Exception {
        Map<String, TestExecutionResult> results = run(OfRestless.class, "--clause CON-4 --clause CON-10 --clause CON-14");
        String told = failureOf(results.get("CON-10 Each move lessens the measure")).getMessage();
        assertTrue(told.startsWith("CON-10 · Each move lessens the measure"), told);
        assertTrue(told.contains("  what happened:\n    promises: measure count"), told);
        assertEquals(TestExecutionResult.Status.SUCCESSFUL, results.get("CON-4 Once a round").getStatus());
        assertEquals(TestExecutionResult.Status.ABORTED,
                results.get("CON-14 At most as many a round as promised").getStatus());

        Path file = Path.of(told.substring(told.indexOf("-Dreplay=") + "-Dreplay=".length()));
        assertTrue(file.endsWith(Path.of("target", "trials", OfRestless.class.getName(), "CON-10.json")), told);
        System.setProperty("replay", file.toString());
        System.setProperty("evenkeel.command", "/no/such/evenkeel");
        assertEquals(told, failureOf(run(OfRestless.class, "").get("CON-10 replayed")).getMessage());

        Files.writeString(file, Files.readString(file).replace("\"to\":\"n1\"", "\"to\":\"n9\""));
        TestExecutionResult otherwise = run(OfRestless.class, "").get("CON-10 replayed");
        assertEquals(TestExecutionResult.Status.ABORTED, otherwise.getStatus());
    }

    @Test
    void aTrialThatDoesNotFailAgainSaysSo() {
        String told = failureOf(run(OfForgetful.class, "--clause CON-10").get("CON-10 Each move lessens the measure")).getMessage();
        assertTrue(told.contains("Put again in this JVM it did not fail so: in turn 1 `moves` is []"), told);
    }

    @Test
    void whatABalancerThrowsIsTheCause() {
        Throwable failure = failureOf(run(OfFragile.class, "--clause CON-1").get("CON-1 Every turn is answered"));
        assertInstanceOf(NullPointerException.class, failure.getCause());
        assertEquals(Move.class.getName(), failure.getCause().getStackTrace()[1].getClassName());
    }

    @Test
    void whereNothingIsKnownNothingIsGreen() {
        String told = failureOf(run(OfIdle.class, "--clause CON-21").get("CON-21 What helps is done")).getMessage();
        assertTrue(told.startsWith("no trial could show a breach of CON-21"), told);
    }

    @Test
    void anEvenkeelThatIsMissingOrRefusesIsOneSentence() {
        String refused = failureOf(run(OfIdle.class, "--clause CON-99").get("contract()")).getMessage();
        assertTrue(refused.contains("The specification has no clause CON-99"), refused);
        System.setProperty("evenkeel.command", "/no/such/evenkeel");
        String missing = failureOf(run(OfIdle.class, "").get("contract()")).getMessage();
        assertTrue(missing.startsWith("evenkeel was not found as '/no/such/evenkeel'"), missing);
    }

    @Test
    void testNGTellsTheSame() {
        System.setProperty("evenkeel.options", "--no-last-failures --clause CON-4 --clause CON-10 --clause CON-14");
        TestListenerAdapter results = new TestListenerAdapter();
        TestNG testng = new TestNG(false);
        testng.setTestClasses(new Class<?>[] {OfRestlessByTestNG.class});
        testng.setVerbose(0);
        testng.addListener(results);
        testng.run();
        assertEquals(List.of(1, 1, 1), List.of(results.getPassedTests().size(), results.getFailedTests().size(),
                results.getSkippedTests().size()));
        String told = results.getFailedTests().get(0).getThrowable().getMessage();
        assertTrue(told.startsWith("CON-10 · Each move lessens the measure"), told);
    }
}
