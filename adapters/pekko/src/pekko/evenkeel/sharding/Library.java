package evenkeel.sharding;

import evenkeel.contract.Balancer;
import evenkeel.contract.Options;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.cluster.ClusterEvent.CurrentClusterState;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.sharding.ShardCoordinator;
import org.apache.pekko.cluster.sharding.ShardCoordinator.ShardAllocationStrategy;
import org.apache.pekko.cluster.sharding.internal.LeastShardAllocationStrategy;
import org.apache.pekko.util.Version;
import scala.Option;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Set$;
import scala.collection.immutable.SortedSet$;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.CollectionConverters;

/** Pekko's two strategies, each told the cluster that the trial has instead of one of which it is a member. */
record Library(Told told, ShardAllocationStrategy strategy) implements Strategy {
    static final String NAME = "pekko-cluster-sharding";
    static final Map<String, String> OPTIONS =
            Options.defaults("strategy", "new", "absolute", "1", "relative", "0.9", "threshold", "1", "max", "3");

    static Supplier<Balancer> chosen(Options options) {
        int absolute = options.whole("absolute", 1);
        double relative = options.fraction("relative");
        int threshold = options.whole("threshold", 1);
        int max = options.whole("max", 1);
        return switch (options.text("strategy")) {
            case "new" -> () -> {
                Told told = new Told();
                return new Sharding(new Library(told, new New(told, absolute, relative)), 1, absolute);
            };
            case "deprecated" -> () -> {
                Told told = new Told();
                return new Sharding(new Library(told, new Deprecated(told, threshold, max)), threshold, max);
            };
            default -> throw options.stop("has no strategy '" + options.text("strategy") + "'; it has new, deprecated");
        };
    }

    @Override
    public Collection<String> rebalance(Map<String, List<String>> shards, Set<String> leaving, Set<String> inProgress)
            throws Exception {
        var regions = tell(shards, leaving);
        var stopped = strategy.rebalance(regions, CollectionConverters.asScala(inProgress).toSet());
        return CollectionConverters.asJava(Await.result(stopped, Duration.create(5, "s")));
    }

    @Override
    public String allocate(String shard, Map<String, List<String>> shards) throws Exception {
        var regions = tell(shards, Set.of());
        var region = strategy.allocateShard(regions.head()._1(), shard, regions);
        return ((Region) Await.result(region, Duration.create(5, "s"))).node;
    }

    /** Makes the nodes the members of the cluster; returns the shards of each region. */
    private scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> tell(
            Map<String, List<String>> shards, Set<String> leaving) {
        scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> regions = Map$.MODULE$.empty();
        List<Member> members = new ArrayList<>();
        for (String node : shards.keySet()) {
            int number = members.size() + 1;
            members.add(new Member(new UniqueAddress(Region.address(node), number), number,
                    leaving.contains(node) ? MemberStatus.leaving() : MemberStatus.up(),
                    CollectionConverters.asScala(Set.of("dc-default")).toSet(), Version.Zero()));
            regions = regions.updated(new Region(node), CollectionConverters.asScala(shards.get(node)).toVector());
        }
        told.self = members.get(0);
        told.state = new CurrentClusterState(
                SortedSet$.MODULE$.from(CollectionConverters.asScala(members), Member.ordering()),
                Set$.MODULE$.empty(), Set$.MODULE$.empty(), Option.empty(), Map$.MODULE$.empty());
        return regions;
    }

    /** The cluster as the strategy is to see it in this round. */
    private static final class Told {
        private CurrentClusterState state;
        private Member self;
    }

    private static final class New extends LeastShardAllocationStrategy {
        private final Told told;

        New(Told told, int absolute, double relative) {
            super(absolute, relative);
            this.told = told;
        }

        @Override
        public CurrentClusterState clusterState() {
            return told.state;
        }

        @Override
        public Member selfMember() {
            return told.self;
        }
    }

    @SuppressWarnings("deprecation")
    private static final class Deprecated extends ShardCoordinator.LeastShardAllocationStrategy {
        private final transient Told told;

        Deprecated(Told told, int threshold, int max) {
            super(threshold, max);
            this.told = told;
        }

        @Override
        public CurrentClusterState clusterState() {
            return told.state;
        }

        @Override
        public Member selfMember() {
            return told.self;
        }
    }
}
