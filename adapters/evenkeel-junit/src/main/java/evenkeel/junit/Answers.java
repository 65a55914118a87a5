package evenkeel.junit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** One turn after the other, put to an object that is made anew by each turn {@code open}. */
final class Answers {
    private final Supplier<? extends Balancer> balancers;
    private Balancer balancer;

    Answers(Supplier<? extends Balancer> balancers) {
        this.balancers = balancers;
    }

    /** The answer in the form of the wire. What the balancer throws is thrown. */
    Map<String, Object> answer(Map<?, ?> trial) {
        Turn turn = Turn.of(trial);
        Map<String, Object> answer = new LinkedHashMap<>();
        try {
            switch ((String) trial.get("do")) {
                case "open" -> {
                    balancer = Objects.requireNonNull(balancers.get(), "the test's method balancer() gave null");
                    answer.put("promises", balancer.promises(turn.grace(), (Long) trial.get("seed")).toJson());
                }
                case "rebalance" -> answer.put("moves", balancer.rebalance(turn).stream().map(Move::toJson).toList());
                case "place" -> answer.put("node", balancer.place((String) trial.get("unit"), turn));
                default -> throw new IllegalStateException("evenkeel asks for " + trial.get("do"));
            }
        } catch (Cannot none) {
            answer.put("cannot", String.valueOf(none.getMessage()));
        }
        return answer;
    }

    /** Puts the stored turns again, and compares what was answered then. Breakpoints in the balancer are hit. */
    static Again replay(List<?> turns, Supplier<? extends Balancer> balancers) {
        Answers answers = new Answers(balancers);
        Throwable thrown = null;
        for (int number = 0; number < turns.size(); number++) {
            Map<?, ?> one = (Map<?, ?>) turns.get(number);
            Map<String, Object> now = new LinkedHashMap<>();
            try {
                now = answers.answer((Map<?, ?>) one.get("turn"));
            } catch (Exception | StackOverflowError | AssertionError failure) {
                thrown = thrown == null ? failure : thrown;
                now.put("broke", String.join(": ", reason(failure), String.valueOf(failure.getMessage())));
            }
            Map<?, ?> then = (Map<?, ?>) one.get("answer");
            for (String name : List.of("moves", "node", "cannot", "broke")) { // what promises lack was filled in
                Object said = now.getOrDefault(name, name.equals("moves") ? List.of() : name.equals("node") ? null : "");
                if (!Objects.equals(then.get(name), said)) {
                    return new Again("in turn " + number + " `" + name + "` is " + said + ", and was " + then.get(name), thrown);
                }
            }
        }
        return new Again("", thrown);
    }

    /** What came of a replay: what differed, empty if nothing did, and what the balancer threw. */
    record Again(String difference, Throwable thrown) {
    }

    static String reason(Throwable failure) {
        return failure.getClass().getSimpleName();
    }
}
