package evenkeel.pulsar;

import evenkeel.pulsar.scaling.AssignmentQuestion;
import evenkeel.pulsar.scaling.DecisionQuestion;
import evenkeel.pulsar.scaling.LayoutQuestion;
import evenkeel.pulsar.scaling.LoopQuestion;
import evenkeel.pulsar.scaling.PolicyQuestion;
import evenkeel.pulsar.scaling.ReportQuestion;
import evenkeel.pulsar.scaling.RoutingQuestion;
import evenkeel.pulsar.scaling.UpdatesQuestion;

/** The questions about scalable topics, which there are since 5.0. */
final class ScalingQuestions {
    private ScalingQuestions() {
    }

    static void addTo(Questions questions) {
        questions.add("scaling.assignment", AssignmentQuestion::new);
        questions.add("scaling.decision", DecisionQuestion::new);
        EntryQuestions.addTo(questions);
        questions.add("scaling.layout", LayoutQuestion::new);
        questions.add("scaling.loop", LoopQuestion::new);
        questions.add("scaling.policy", PolicyQuestion::new);
        questions.add("scaling.report", ReportQuestion::new);
        questions.add("scaling.routing", RoutingQuestion::new);
        questions.add("scaling.updates", UpdatesQuestion::new);
        StreamQuestions.addTo(questions);
        SharingQuestions.addTo(questions);
    }
}
