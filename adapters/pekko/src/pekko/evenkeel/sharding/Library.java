package evenkeel.sharding;

import evenkeel.contract.Balancer;
import evenkeel.contract.Options;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.pekko.actor.ActorPath;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.RootActorPath;
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
import scala.jdk.javaapi.CollectionConverters;

/** Pekko's two strategies, each told the cluster that the trial has instead of one of which it is a member. */
final class Library {
    static final String NAME = "pekko-cluster-sharding";
    static final String[] OPTIONS = {"strategy", "new", "absolute", "1", "relative", "0.9", "threshold", "1", "max", "3"};

    private ShardAllocationStrategy strategy;
    private CurrentClusterState state;
    private Member self;

    static Supplier<Balancer> chosen(Options options) {
        int absolute = options.whole("absolute", 1);
        double relative = options.fraction("relative");
        int threshold = options.whole("threshold", 1);
        int max = options.whole("max", 1);
        return switch (options.text("strategy")) {
            case "new" -> () -> new Sharding(recent(absolute, relative), 1, absolute);
            case "deprecated" -> () -> new Sharding(deprecated(threshold, max), threshold, max);
            default -> throw options.stop("has no strategy '" + options.text("strategy") + "'; it has new, deprecated");
        };
    }

    private static Library recent(int absolute, double relative) {
        Library library = new Library();
        library.strategy = new LeastShardAllocationStrategy(absolute, relative) {
            @Override
            public CurrentClusterState clusterState() {
                return library.state;
            }

            @Override
            public Member selfMember() {
                return library.self;
            }
        };
        return library;
    }

    @SuppressWarnings("deprecation")
    private static Library deprecated(int threshold, int max) {
        Library library = new Library();
        library.strategy = new ShardCoordinator.LeastShardAllocationStrategy(threshold, max) {
            @Override
            public CurrentClusterState clusterState() {
                return library.state;
            }

            @Override
            public Member selfMember() {
                return library.self;
            }
        };
        return library;
    }

    /** The shards to stop, given each region's in the order of their allocation, and those that are being handed off. */
    Collection<String> rebalance(Map<String, List<String>> shards, List<String> leaving, Set<String> inProgress) {
        var regions = tell(shards, leaving);
        var stopped = strategy.rebalance(regions, CollectionConverters.asScala(inProgress).toSet());
        return CollectionConverters.asJava(stopped.value().get().get());
    }

    /** The region for a shard that is in none; there is at least one region. */
    String allocate(String shard, Map<String, List<String>> shards) {
        var regions = tell(shards, List.of());
        var region = strategy.allocateShard(regions.head()._1(), shard, regions);
        return ((Region) region.value().get().get()).node;
    }

    /** Makes the nodes the members of the cluster; returns the shards of each region. */
    private scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> tell(
            Map<String, List<String>> shards, List<String> leaving) {
        scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> regions = Map$.MODULE$.empty();
        List<Member> members = new ArrayList<>();
        for (String node : shards.keySet()) {
            int number = members.size() + 1;
            members.add(new Member(new UniqueAddress(Region.address(node), number), number,
                    leaving.contains(node) ? MemberStatus.leaving() : MemberStatus.up(),
                    CollectionConverters.asScala(Set.of("dc-default")).toSet(), Version.Zero()));
            regions = regions.updated(new Region(node), CollectionConverters.asScala(shards.get(node)).toVector());
        }
        self = members.get(0);
        state = new CurrentClusterState(
                SortedSet$.MODULE$.from(CollectionConverters.asScala(members), Member.ordering()),
                Set$.MODULE$.empty(), Set$.MODULE$.empty(), Option.empty(), Map$.MODULE$.empty());
        return regions;
    }

    /** A node's shard region: a reference with an address, and no actor behind it. */
    private static final class Region extends ActorRef {
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
}
