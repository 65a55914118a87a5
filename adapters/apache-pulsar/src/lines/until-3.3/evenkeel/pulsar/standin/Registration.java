package evenkeel.pulsar.standin;

import java.util.Map;
import org.apache.pulsar.broker.loadbalance.extensions.data.BrokerLookupData;

/** How a broker is registered; without properties until 3.3. */
public final class Registration {
    private Registration() {
    }

    /** The record of a broker with these addresses, this load manager class and this version of Pulsar. */
    public static BrokerLookupData of(String web, String service, boolean persistent, boolean nonPersistent,
                                      String manager, String version) {
        return new BrokerLookupData("http://" + web, null, "pulsar://" + service, null, Map.of(), Map.of(),
                persistent, nonPersistent, manager, 1, version);
    }
}
