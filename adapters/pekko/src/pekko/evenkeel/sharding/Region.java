package evenkeel.sharding;

import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.RootActorPath;

/** A node's shard region: a reference with an address, and no actor behind it. */
final class Region extends ActorRef {
    final String node;
    private final ActorPath path;

    Region(String node) {
        this.node = node;
        this.path = new RootActorPath(address(node), "/").child("region");
    }

    static Address address(String node) {
        return new Address("pekko", "system", node, 7355);
    }

    @Override
    public ActorPath path() {
        return path;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public void $bang(Object message, ActorRef sender) {
        throw new UnsupportedOperationException("no actor is behind this region");
    }
}
