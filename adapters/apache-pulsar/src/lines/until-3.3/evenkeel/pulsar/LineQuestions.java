package evenkeel.pulsar;

import java.util.List;

/** The questions that not every line of Pulsar can be asked. */
final class LineQuestions {
    private LineQuestions() {
    }

    static void addTo(Questions questions) {
        questions.lacks("ownership.channel", "until 3.3 the channel reads its records from a topic by Pulsar's client");
        questions.lacks("throttling.loop", "until 3.3 the dispatchers ask a cursor otherwise");
        questions.lacks("throttling.permits", "until 3.3 the dispatchers ask a cursor otherwise");
        questions.lacks("throttling.keys", "until 3.3 the dispatchers ask a cursor otherwise");
        questions.lacks("throttling.replicating", "until 3.3 a replicator keeps no list of its reads");
    }

    static List<String> dispatchers() {
        return List.of();
    }

    static void addLoop(Questions questions, String dispatcher) {
        throw new IllegalArgumentException(dispatcher);
    }
}
