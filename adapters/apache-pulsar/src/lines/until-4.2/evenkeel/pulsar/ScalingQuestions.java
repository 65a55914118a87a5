package evenkeel.pulsar;

/** The questions about scalable topics, which there are since 5.0. */
final class ScalingQuestions {
    private ScalingQuestions() {
    }

    static void addTo(Questions questions) {
        for (String name : new String[] {"scaling.decision", "scaling.layout"}) {
            questions.lacks(name, "there are no scalable topics before 5.0");
        }
    }
}
