package evenkeel.pulsar;

import evenkeel.pulsar.ownership.ChannelQuestion;
import evenkeel.pulsar.throttling.LoopQuestion;

/** The questions that not every line of Pulsar can be asked: since 4.0 all. */
final class LineQuestions {
    private LineQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("ownership.channel", ChannelQuestion::new);
        questions.add("throttling.loop", LoopQuestion::new);
    }
}
