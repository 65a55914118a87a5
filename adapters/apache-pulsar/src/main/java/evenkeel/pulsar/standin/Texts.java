package evenkeel.pulsar.standin;

import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.common.policies.data.BundlesData;

/** Boundaries as policies store them. */
public final class Texts {
    private Texts() {
    }

    /** At least eight hexadecimal digits; decimal for negative numbers, which hexadecimal text cannot carry. */
    public static String boundary(long value) {
        if (value < 0) {
            return Long.toString(value);
        }
        String digits = Long.toHexString(value);
        return "0x" + "00000000".substring(Math.min(8, digits.length())) + digits;
    }

    /** The policies' record of these boundaries. */
    public static BundlesData bundles(List<Long> boundaries) {
        List<String> texts = new ArrayList<>(boundaries.size());
        for (long value : boundaries) {
            texts.add(boundary(value));
        }
        return BundlesData.builder().boundaries(texts).numBundles(texts.size() - 1).build();
    }
}
