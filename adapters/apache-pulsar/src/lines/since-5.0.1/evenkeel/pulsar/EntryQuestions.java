package evenkeel.pulsar;

import evenkeel.pulsar.scaling.EntriesQuestion;

/** The question about the entries of a segment, which have stamps since 5.0.1. */
final class EntryQuestions {
    private EntryQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("scaling.entries", EntriesQuestion::new);
    }
}
