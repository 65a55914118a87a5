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
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;

/** Akka's one strategy of 2.5, which has a threshold and asks nothing of the cluster. */
record Library(ShardAllocationStrategy strategy) implements Strategy {
    static final String NAME = "akka-cluster-sharding";
    static final Map<String, String> OPTIONS = Options.defaults("threshold", "1", "max", "3");

    static Supplier<Balancer> chosen(Options options) {
        int threshold = options.whole("threshold", 1);
        int max = options.whole("max", 1);
        return () -> new Sharding(new Library(new LeastShardAllocationStrategy(threshold, max)), threshold, max);
    }

    @Override
    public Collection<String> rebalance(Map<String, List<String>> shards, Set<String> leaving, Set<String> inProgress)
            throws Exception {
        scala.collection.immutable.Set<String> set = JavaConverters.asScalaSetConverter(inProgress).asScala().toSet();
        var stopped = Await.result(strategy.rebalance(regions(shards), set), Duration.create(5, "s"));
        return JavaConverters.setAsJavaSetConverter(stopped).asJava();
    }

    @Override
    public String allocate(String shard, Map<String, List<String>> shards) throws Exception {
        var regions = regions(shards);
        var region = strategy.allocateShard(regions.head()._1(), shard, regions);
        return ((Region) Await.result(region, Duration.create(5, "s"))).node;
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
