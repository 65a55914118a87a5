package evenkeel.pulsar;

/** The question about token buckets, which there are not until 3.0. */
final class BucketQuestions {
    private BucketQuestions() {
    }

    static void addTo(Questions questions) {
        questions.lacks("throttling.bucket", "until 3.0 there are no token buckets");
    }
}
