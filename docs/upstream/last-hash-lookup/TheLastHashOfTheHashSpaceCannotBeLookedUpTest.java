// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.common.naming;

import static org.mockito.Mockito.mock;
import static org.testng.Assert.assertEquals;

import com.google.common.collect.Range;
import java.util.Optional;
import org.testng.annotations.Test;

public class TheLastHashOfTheHashSpaceCannotBeLookedUpTest {

    /**
     * The last hash of the hash space cannot be looked up. No bundle is found for one hash in 2^32: a topic with it,
     * such as persistent://public/default/maaoimoeiiea, is found by no lookup.
     */
    @Test
    public void testTheLastHashOfTheHashSpaceCannotBeLookedUp() throws Exception {
        // The factory is only handed on to the bundles.
        NamespaceBundles bundles = new NamespaceBundles(NamespaceName.get("public/default"),
                mock(NamespaceBundleFactory.class), Optional.empty(), new long[] {0L, 0xffffffffL});
        NamespaceBundle found = bundles.getBundle(0xffffffffL);
        assertEquals(found.getKeyRange(), Range.closed(0L, 0xffffffffL));
    }
}
