package evenkeel.junit;

import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A test of a balancer for JUnit Jupiter, a test for each clause of spec/contract.md:
 * {@code class MineTest implements BalancerContract { public Balancer balancer() { return new Mine(); } }}.
 */
@Execution(ExecutionMode.SAME_THREAD)
public interface BalancerContract {
    /** A new object each time: what one remembers must not reach the next trial. */
    Balancer balancer();

    /** Runs the check, once for all clauses. */
    @TestFactory
    default Stream<DynamicTest> contract() {
        // Without an address of its own a dynamic test has no name in Surefire's reports.
        return Check.run(getClass(), this::balancer).stream().map(clause -> DynamicTest.dynamicTest(
                clause.toString(), Trial.fileOf(getClass(), clause.id()).toUri(),
                () -> clause.verify(this::balancer, Assumptions::abort)));
    }
}
