package evenkeel.pulsar.ownership;

import evenkeel.pulsar.Private;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.loadbalance.LeaderBroker;
import org.apache.pulsar.broker.loadbalance.LeaderElectionService;

/** Whom a broker takes for the leader is told. */
final class LockElection extends LeaderElectionService {
    private int self;
    private Integer leader;

    private LockElection() {
        super(null, null, null, null);
    }

    static LockElection create(int self) {
        LockElection election = Private.allocate(LockElection.class);
        election.self = self;
        return election;
    }

    /** The leader is this broker from now on; null: nobody. */
    void tell(Integer number) {
        leader = number;
    }

    @Override
    public boolean isLeader() {
        return leader != null && leader == self;
    }

    @Override
    public Optional<LeaderBroker> getCurrentLeader() {
        return Optional.ofNullable(leader)
                .map(number -> new LeaderBroker(LockPulsar.id(number), LockPulsar.webUrl(number)));
    }

    @Override
    public CompletableFuture<Optional<LeaderBroker>> readCurrentLeader() {
        return CompletableFuture.completedFuture(getCurrentLeader());
    }
}
