package evenkeel.junit;

import java.util.Iterator;
import org.testng.SkipException;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

/** The same for TestNG, as in Apache Pulsar's own tree. */
public abstract class BalancerContractTestNG {
    /** A new object each time: what one remembers must not reach the next trial. */
    protected abstract Balancer balancer();

    /** Runs the check, once for all clauses. */
    @DataProvider(propagateFailureAsTestFailure = true)
    public final Iterator<Object[]> clauses() {
        return Check.run(getClass(), this::balancer).stream().map(clause -> new Object[] {clause}).iterator();
    }

    @Test(dataProvider = "clauses")
    public final void contract(Clause clause) {
        clause.verify(this::balancer, why -> {
            throw new SkipException(why);
        });
    }
}
