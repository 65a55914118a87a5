package evenkeel.sharding;

import akka.actor.ActorPath;
import akka.actor.ActorRef;
import akka.actor.Address;
import akka.actor.RootActorPath;
import akka.cluster.sharding.ShardCoordinator.LeastShardAllocationStrategy;
import akka.cluster.sharding.ShardCoordinator.ShardAllocationStrategy;
import evenkeel.contract.Balancer;
import evenkeel.contract.Options;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import scala.collection.JavaConverters;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map$;

/** Akka's one strategy of 2.5, which has a threshold and asks nothing of the cluster. */
record Library(ShardAllocationStrategy strategy) {
    static final String NAME = "akka-cluster-sharding";
    static final String[] OPTIONS = {"threshold", "1", "max", "3"};

    static Supplier<Balancer> chosen(Options options) {
        int threshold = options.whole("threshold", 1);
        int max = options.whole("max", 1);
        return () -> new Sharding(new Library(new LeastShardAllocationStrategy(threshold, max)), threshold, max);
    }

    /** The shards to stop, given each region's in the order of their allocation, and those that are being handed off. */
    Collection<String> rebalance(Map<String, List<String>> shards, List<String> leaving, Set<String> inProgress) {
        scala.collection.immutable.Set<String> set = JavaConverters.asScalaSetConverter(inProgress).asScala().toSet();
        var stopped = strategy.rebalance(regions(shards), set);
        return JavaConverters.setAsJavaSetConverter(stopped.value().get().get()).asJava();
    }

    /** The region for a shard that is in none; there is at least one region. */
    String allocate(String shard, Map<String, List<String>> shards) {
        var regions = regions(shards);
        var region = strategy.allocateShard(regions.head()._1(), shard, regions);
        return ((Region) region.value().get().get()).node;
    }

    private static scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> regions(Map<String, List<String>> shards) {
        scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> regions = Map$.MODULE$.empty();
        for (String node : shards.keySet()) {
            regions = regions.updated(new Region(node),
                    JavaConverters.asScalaBufferConverter(shards.get(node)).asScala().toVector());
        }
        return regions;
    }

    /** A reference with an address, and no actor behind it. */
    private static final class Region extends ActorRef {
        final String node;
        private final ActorPath path;

        Region(String node) {
            this.node = node;
            this.path = new RootActorPath(new Address("akka", "system", node, 2552), "/").child("region");
        }

        @Override
        public ActorPath path() {
            return path;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }
    }
}
