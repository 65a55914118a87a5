package evenkeel.pulsar.plugin;

import java.util.List;
import java.util.Optional;

/** One of Pulsar's load managers, around the strategies that were asked for. */
interface Manager {
    /** One bundle that Pulsar unloads: from where, in the strategy's words, and to where, if that was decided. */
    record Move(String bundle, String from, Optional<String> to) {
    }

    /** Takes new strategies, and forgets all that it knows. */
    void open();

    /** Runs the manager's own round of shedding. */
    List<Move> rebalance(Turn turn);

    /** Lets the manager choose a broker for the bundle that is asked about. */
    Optional<String> place(Turn turn);
}
