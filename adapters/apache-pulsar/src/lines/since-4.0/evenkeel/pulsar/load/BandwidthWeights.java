package evenkeel.pulsar.load;

import org.apache.pulsar.broker.ServiceConfiguration;

/** The weights of bandwidth in a broker's configuration, spelt so since 4.0. */
public final class BandwidthWeights {
    private BandwidthWeights() {
    }

    public static void set(ServiceConfiguration config, double in, double out) {
        config.setLoadBalancerBandwidthInResourceWeight(in);
        config.setLoadBalancerBandwidthOutResourceWeight(out);
    }

    public static double in(ServiceConfiguration config) {
        return config.getLoadBalancerBandwidthInResourceWeight();
    }

    public static double out(ServiceConfiguration config) {
        return config.getLoadBalancerBandwidthOutResourceWeight();
    }

    /** What the wire protocol calls a setting, as this line of Pulsar calls it. */
    public static String name(String setting) {
        return setting;
    }
}
