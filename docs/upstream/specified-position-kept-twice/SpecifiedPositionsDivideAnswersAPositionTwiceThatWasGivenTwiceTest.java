// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.common.naming;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.testng.Assert.assertEquals;

import com.google.common.collect.BoundType;
import com.google.common.collect.Range;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.testng.annotations.Test;

public class SpecifiedPositionsDivideAnswersAPositionTwiceThatWasGivenTwiceTest {

    /**
     * specified_positions_divide answers a position twice that was given twice. The bundle is not split, and with
     * the modular load manager the request is never answered.
     */
    @Test
    public void testSpecifiedPositionsDivideAnswersAPositionTwiceThatWasGivenTwice() throws Exception {
        NamespaceBundleFactory factory = mock(NamespaceBundleFactory.class);
        when(factory.getLongHashCode(anyString())).thenAnswer(call -> Hashing.crc32()
                .hashString(call.getArgument(0, String.class), StandardCharsets.UTF_8).padToLong());
        NamespaceBundle bundle = new NamespaceBundle(NamespaceName.get("public/default"),
                Range.range(1L, BoundType.CLOSED, 6L, BoundType.OPEN), factory);
        NamespaceService service = mock(NamespaceService.class);
        when(service.getOwnedTopicListForNamespaceBundle(any())).thenReturn(CompletableFuture.completedFuture(
                new ArrayList<>(List.of())));
        List<Long> positions = NamespaceBundleSplitAlgorithm.SPECIFIED_POSITIONS_DIVIDE_FORCE_ALGO
                .getSplitBoundary(new BundleSplitOption(service, bundle, new ArrayList<>(List.of(4L, 4L)))).get();
        assertEquals(positions == null ? List.of() : positions, List.of(4L));
    }
}
