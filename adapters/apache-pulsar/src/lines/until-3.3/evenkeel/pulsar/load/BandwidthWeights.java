package evenkeel.pulsar.load;

import org.apache.pulsar.broker.ServiceConfiguration;

/** The weights of bandwidth in a broker's configuration, spelt otherwise until 3.3. */
public final class BandwidthWeights {
    private BandwidthWeights() {
    }

    public static void set(ServiceConfiguration config, double in, double out) {
        config.setLoadBalancerBandwithInResourceWeight(in);
        config.setLoadBalancerBandwithOutResourceWeight(out);
    }

    public static double in(ServiceConfiguration config) {
        return config.getLoadBalancerBandwithInResourceWeight();
    }

    public static double out(ServiceConfiguration config) {
        return config.getLoadBalancerBandwithOutResourceWeight();
    }

    /** What the wire protocol calls a setting, as this line of Pulsar calls it. */
    public static String name(String setting) {
        return setting.replace("Bandwidth", "Bandwith").replace("BandwithMbytes", "BandwidthMbytes");
    }
}
