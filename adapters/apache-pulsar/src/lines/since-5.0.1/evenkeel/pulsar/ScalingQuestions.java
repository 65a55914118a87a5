package evenkeel.pulsar;

import evenkeel.pulsar.scaling.AssignmentQuestion;
import evenkeel.pulsar.scaling.DecisionQuestion;
import evenkeel.pulsar.scaling.LayoutQuestion;
import evenkeel.pulsar.scaling.LoopQuestion;
import evenkeel.pulsar.scaling.ReportQuestion;

/** The questions about scalable topics: the only ones whose classes are all on Maven Central. */
final class ScalingQuestions {
    private ScalingQuestions() {
    }

    static void addTo(Questions questions) {
        questions.lacksAll("not all of the classes that it takes are on Maven Central");
        questions.add("scaling.assignment", AssignmentQuestion::new);
        questions.add("scaling.decision", DecisionQuestion::new);
        questions.add("scaling.layout", LayoutQuestion::new);
        questions.add("scaling.loop", LoopQuestion::new);
        questions.lacks("scaling.policy", "the class of policies is that of 5.0.0-M1 here");
        questions.add("scaling.report", ReportQuestion::new);
    }
}
