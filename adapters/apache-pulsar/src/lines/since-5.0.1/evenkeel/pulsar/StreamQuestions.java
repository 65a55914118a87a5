package evenkeel.pulsar;

import evenkeel.pulsar.scaling.StreamingQuestion;

/** The question about stream consumers, which share segments since 5.0.1. */
final class StreamQuestions {
    private StreamQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("scaling.streaming", StreamingQuestion::new);
    }
}
