package evenkeel.pulsar.standin;

import evenkeel.pulsar.Private;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.loadbalance.LeaderBroker;
import org.apache.pulsar.broker.loadbalance.LeaderElectionService;

/** An election whose winner is told: this broker, or another one. */
public final class StandInLeader extends LeaderElectionService {
    private boolean leading;

    private StandInLeader() {
        super(null, null, null, null);
    }

    public static StandInLeader create() {
        StandInLeader leader = Private.allocate(StandInLeader.class);
        leader.leading = true;
        return leader;
    }

    public void setLeading(boolean value) {
        leading = value;
    }

    @Override
    public boolean isLeader() {
        return leading;
    }

    @Override
    public Optional<LeaderBroker> getCurrentLeader() {
        return Optional.of(new LeaderBroker(leading ? StandInPulsar.BROKER_ID : "broker-2:8080", "http://leader"));
    }

    @Override
    public CompletableFuture<Optional<LeaderBroker>> readCurrentLeader() {
        return CompletableFuture.completedFuture(getCurrentLeader());
    }
}
