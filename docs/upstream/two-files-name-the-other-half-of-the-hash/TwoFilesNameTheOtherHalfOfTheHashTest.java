// Apache-2.0. Needs Apache Pulsar, TestNG and Mockito only.
package org.apache.pulsar.common.scalable;

import static org.testng.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.common.util.Murmur3_32Hash;
import org.testng.annotations.Test;

public class TwoFilesNameTheOtherHalfOfTheHashTest {

    /**
     * Two files of Pulsar's specification of clients send keys to other segments than its client: client-behavior.md,
     * section 2, and conformance.md, C2. With the formula of wire-protocol.md, section 5, this test passes.
     */
    @Test
    public void testTwoFilesNameTheOtherHalfOfTheHash() {
        List<String> client = new ArrayList<>();
        List<String> files = new ArrayList<>();
        for (String key : List.of("order-1", "order-4", "order-7")) {
            byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
            client.add("%04x".formatted(ScalableTopicHashing.segmentHash(ScalableTopicHashing.murmur(utf8))));
            files.add("%04x".formatted(Murmur3_32Hash.getInstance().makeHash(utf8) & 0xFFFF));
        }
        assertEquals(String.join(" ", client), String.join(" ", files));
    }
}
