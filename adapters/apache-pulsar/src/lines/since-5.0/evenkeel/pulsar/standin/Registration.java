package evenkeel.pulsar.standin;

import java.util.Map;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;

/** How a broker is registered; the record names the broker since 5.0. */
public final class Registration {
    private Registration() {
    }

    /** The record of a broker with these addresses, this load manager class and this version of Pulsar. */
    public static BrokerLookupData of(String web, String service, boolean persistent, boolean nonPersistent,
                                      String manager, String version) {
        return new BrokerLookupData(web, "http://" + web, null, "pulsar://" + service, null, Map.of(), Map.of(),
                persistent, nonPersistent, manager, 1, version, Map.of());
    }
}
