package evenkeel.junit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a check said of one clause of the contract (spec/contract.md). */
public record Clause(String id, String title, Verdict verdict, String message, List<Trial> trials) {
    /** Unknown: no trial could show a breach. Skipped: not promised. */
    public enum Verdict { HOLDS, VIOLATED, UNKNOWN, SKIPPED }

    /** Of a clause of a report, with the failing trials that the report has of it. */
    static Clause of(String id, Map<?, ?> report, List<Trial> trials) {
        String title = (String) ((Map<?, ?>) report.get("titles")).get(id);
        Map<?, ?> counts = (Map<?, ?>) Objects.requireNonNullElse(((Map<?, ?>) report.get("clauses")).get(id), Map.of());
        List<?> gaps = (List<?>) report.get("coverage_gaps");
        if (!trials.isEmpty()) {
            return new Clause(id, title, Verdict.VIOLATED, "", trials);
        }
        if (counts.containsKey("violated") || counts.containsKey("errored")) {
            return new Clause(id, title, Verdict.UNKNOWN, id + " is violated: " + report.get("summary"), trials);
        }
        if (counts.containsKey("holds")) {
            return new Clause(id, title, Verdict.HOLDS, "", trials);
        }
        if (counts.containsKey("declined")) {
            return new Clause(id, title, Verdict.SKIPPED, id + " is not promised: " + title, trials);
        }
        Verdict verdict = gaps.isEmpty() ? Verdict.SKIPPED : Verdict.UNKNOWN;
        String unknown = "no trial could show a breach of " + id + ": " + title
                + ". Does the balancer know what it promises about? -Devenkeel.options=--allow-unexercised skips it.";
        return new Clause(id, title, verdict, unknown, trials);
    }

    /** The one clause of a stored trial. */
    static Clause of(Trial trial) {
        return new Clause(trial.clause(), "replayed", Verdict.VIOLATED, "", List.of(trial));
    }

    /**
     * Returns if the clause holds. Throws AssertionError if it does not, or if that is unknown.
     *
     * @param skip takes why it is not asked, and throws what the framework throws then
     */
    public void verify(Supplier<? extends Balancer> balancers, Consumer<String> skip) {
        switch (verdict) {
            case SKIPPED -> skip.accept(message);
            case UNKNOWN -> throw new AssertionError(message);
            case VIOLATED -> {
                for (Trial trial : trials) {
                    trial.fail(balancers, skip);
                }
            }
            default -> { }
        }
    }

    @Override
    public String toString() {
        return id + " " + title;
    }
}
