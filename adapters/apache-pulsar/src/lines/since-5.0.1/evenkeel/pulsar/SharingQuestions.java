package evenkeel.pulsar;

import evenkeel.pulsar.throttling.SharingQuestion;

/** The question about consumers that share a segment, which they can since 5.0.1. */
final class SharingQuestions {
    private SharingQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("scaling.sharing", SharingQuestion::new);
    }
}
