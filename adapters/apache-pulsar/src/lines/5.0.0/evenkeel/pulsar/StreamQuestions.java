package evenkeel.pulsar;

/** The question about stream consumers, which share no segment yet. */
final class StreamQuestions {
    private StreamQuestions() {
    }

    static void addTo(Questions questions) {
        questions.lacks("scaling.streaming", "in 5.0.0-M1 a stream consumer shares no segment, and drains none");
    }
}
