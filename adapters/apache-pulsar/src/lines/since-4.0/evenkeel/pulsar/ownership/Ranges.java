package evenkeel.pulsar.ownership;

import evenkeel.pulsar.BadTrial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.common.naming.NamespaceBundle;

/**
 * The four bundles of a trial as real ones: a parent, its halves, and a bundle of another namespace.
 *
 * <p>Pulsar's monitor overrides bundles in the order of a hash map; the namespaces' names are chosen so that this
 * is the order of the list below, which is the protocol's.
 */
final class Ranges {
    static final List<String> NAMES = List.of("parent", "left", "right", "other");
    static final String PARENT = "0x00000000_0x80000000";
    static final String LEFT = "0x00000000_0x40000000";
    static final String RIGHT = "0x40000000_0x80000000";
    static final List<String> KEYS = inHashOrder();
    /** The order in which a view gives its entries. */
    static final Comparator<String> ORDER = Comparator.comparingInt(KEYS::indexOf);

    private static final Map<String, List<String>> HALVES = Map.of(
            KEYS.get(0), List.of("left", "right"),
            KEYS.get(1), List.of("left"),
            KEYS.get(2), List.of("right"),
            KEYS.get(3), List.of("other"));

    private Ranges() {
    }

    private static List<String> inHashOrder() {
        for (int number = 0; ; number++) {
            String namespace = "evenkeel/n" + number;
            List<String> keys = List.of(namespace + "/" + PARENT, namespace + "/" + LEFT, namespace + "/" + RIGHT,
                    "evenkeel/o" + number / 7 + "/" + PARENT);
            Map<String, String> map = new HashMap<>();
            keys.forEach(key -> map.put(key, key));
            if (new ArrayList<>(map.keySet()).equals(keys)) {
                return keys;
            }
        }
    }

    /** The namespace of the parent and its halves. */
    static String namespace() {
        String key = KEYS.get(0);
        return key.substring(0, key.lastIndexOf('/'));
    }

    static String key(String name) {
        int index = NAMES.indexOf(name);
        if (index < 0) {
            throw new BadTrial("there is no bundle " + name);
        }
        return KEYS.get(index);
    }

    static String name(String key) {
        return NAMES.get(KEYS.indexOf(key));
    }

    /** The hashes of a bundle, by the protocol's names. */
    static List<String> halves(NamespaceBundle bundle) {
        return HALVES.get(bundle.toString());
    }
}
