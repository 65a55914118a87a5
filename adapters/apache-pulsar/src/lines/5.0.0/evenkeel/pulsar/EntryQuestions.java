package evenkeel.pulsar;

/** 5.0.0-M1 has no entry buckets, and no stamps. */
final class EntryQuestions {
    private EntryQuestions() {
    }

    static void addTo(Questions questions) {
        questions.lacks("scaling.entries", "before 5.0.1 entries have no stamps");
    }
}
