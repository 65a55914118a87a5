package evenkeel.pulsar;

import java.util.List;

/** The questions about scalable topics, which there are since 5.0. */
final class ScalingQuestions {
    private ScalingQuestions() {
    }

    static void addTo(Questions questions) {
        for (String name : List.of("assignment", "decision", "entries", "layout", "loop", "policy", "report",
                "routing", "sharing", "streaming", "updates")) {
            questions.lacks("scaling." + name, "there are no scalable topics before 5.0");
        }
    }
}
