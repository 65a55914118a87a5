package evenkeel.pulsar;

import evenkeel.pulsar.ownership.ChannelQuestion;
import evenkeel.pulsar.throttling.KeysQuestion;
import evenkeel.pulsar.throttling.LoopQuestion;
import evenkeel.pulsar.throttling.PermitsQuestion;
import evenkeel.pulsar.throttling.ReplicatingQuestion;
import java.util.List;

/** The questions that not every line of Pulsar can be asked: since 4.0 all. */
final class LineQuestions {
    private LineQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("ownership.channel", ChannelQuestion::new);
        addLoop(questions, dispatchers().get(0));
        questions.add("throttling.permits", PermitsQuestion::new);
        questions.add("throttling.keys", KeysQuestion::new);
        questions.add("throttling.replicating", ReplicatingQuestion::new);
    }

    static List<String> dispatchers() {
        return LoopQuestion.dispatchers();
    }

    static void addLoop(Questions questions, String dispatcher) {
        questions.add("throttling.loop", () -> new LoopQuestion(dispatcher));
    }
}
