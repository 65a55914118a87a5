package evenkeel.pulsar;

/** The question about consumers that share a segment, which they can since 5.0.1. */
final class SharingQuestions {
    private SharingQuestions() {
    }

    static void addTo(Questions questions) {
        questions.lacks("scaling.sharing", "there are no entry buckets before 5.0.1");
    }
}
