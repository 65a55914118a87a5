package evenkeel.junit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** One check of a test class: a run of evenkeel in which all clauses are judged, or one stored trial. */
final class Check {
    private Check() {
    }

    /** The clauses in their order. Throws IllegalStateException where there is no result. */
    static List<Clause> run(Class<?> test, Supplier<? extends Balancer> balancers) {
        String replayed = System.getProperty("replay", "");
        if (!replayed.isEmpty()) {
            Trial trial = Trial.read(Path.of(replayed));
            return trial.isOf(test) ? List.of(Clause.of(trial)) : List.of();
        }
        Map<?, ?> report = Conversation.hold(test.getName(), new Answers(balancers));
        if (!((List<?>) report.get("no_answer")).isEmpty()) {
            throw new IllegalStateException("evenkeel could not read what was answered: " + report.get("no_answer"));
        }
        List<Clause> clauses = new ArrayList<>();
        for (Object id : ((Map<?, ?>) report.get("titles")).keySet()) {
            List<Trial> trials = ((List<?>) report.get("failures")).stream().map(Map.class::cast)
                    .filter(one -> id.equals(one.get("clause")) && Boolean.FALSE.equals(one.get("departure")))
                    .map(one -> Trial.store(test, one)).toList();
            clauses.add(Clause.of((String) id, report, trials));
        }
        return clauses;
    }
}
