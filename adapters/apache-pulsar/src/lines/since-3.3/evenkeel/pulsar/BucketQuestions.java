package evenkeel.pulsar;

import evenkeel.pulsar.throttling.BucketQuestion;

/** The question about token buckets, which there are since 3.3. */
final class BucketQuestions {
    private BucketQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("throttling.bucket", BucketQuestion::new);
    }
}
