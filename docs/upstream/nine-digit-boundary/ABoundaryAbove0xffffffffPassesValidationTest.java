// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.broker.admin.impl;

import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;

import java.util.List;
import org.apache.pulsar.broker.web.RestException;
import org.apache.pulsar.common.naming.NamespaceBundleFactory;
import org.apache.pulsar.common.naming.NamespaceName;
import org.apache.pulsar.common.policies.data.BundlesData;
import org.testng.annotations.Test;

public class ABoundaryAbove0xffffffffPassesValidationTest {

    /**
     * A boundary above 0xffffffff passes validation. The namespace is created, and its bundles can never be made of
     * what is stored: nothing in it can be looked up.
     */
    @Test
    public void testABoundaryAbove0xffffffffPassesValidation() throws Exception {
        NamespacesBase admin = mock(NamespacesBase.class, CALLS_REAL_METHODS);
        NamespaceBundleFactory factory = mock(NamespaceBundleFactory.class, CALLS_REAL_METHODS);
        BundlesData asked = BundlesData.builder().numBundles(2)
                .boundaries(List.of("0x00000000", "0x100000000", "0xffffffff")).build();
        BundlesData stored;
        try {
            stored = admin.validateBundlesData(asked);
        } catch (RestException refused) {
            return; // as it should be
        }
        // The namespace is created. Whatever is looked up in it begins with its bundles.
        factory.getBundles(NamespaceName.get("public/default"), stored);
    }
}
