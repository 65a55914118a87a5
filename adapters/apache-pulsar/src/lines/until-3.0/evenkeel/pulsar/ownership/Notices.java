package evenkeel.pulsar.ownership;

import evenkeel.pulsar.NotHere;

/** Until 3.0 a broker that starts handles such a change, with parts that are not here. */
final class Notices {
    private Notices() {
    }

    static void deliver(LockPulsar pulsar) {
        throw new NotHere("until 3.0 a broker that starts reads the policies that changed");
    }
}
