package evenkeel.pulsar;

/** The questions about token buckets and about reads that wait for memory, which there are not until 3.0. */
final class BucketQuestions {
    private BucketQuestions() {
    }

    static void addTo(Questions questions) {
        questions.lacks("throttling.bucket", "until 3.0 there are no token buckets");
        questions.lacks("throttling.inflight", "until 3.0 a read that gets no memory asks again and again");
    }
}
