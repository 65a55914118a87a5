package evenkeel.pulsar;

import evenkeel.pulsar.throttling.BucketQuestion;
import evenkeel.pulsar.throttling.InFlightQuestion;

/** The questions about token buckets and about reads that wait for memory, which there are since 3.3. */
final class BucketQuestions {
    private BucketQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("throttling.bucket", BucketQuestion::new);
        questions.add("throttling.inflight", InFlightQuestion::new);
    }
}
