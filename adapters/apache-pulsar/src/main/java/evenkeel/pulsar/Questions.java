package evenkeel.pulsar;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import evenkeel.pulsar.balancing.DefaultsQuestion;
import evenkeel.pulsar.balancing.StrategyQuestion;
import evenkeel.pulsar.bundles.BundleQuestions;
import evenkeel.pulsar.bundles.CreationQuestion;
import evenkeel.pulsar.ownership.ListenersQuestion;
import evenkeel.pulsar.ownership.LocksQuestion;
import evenkeel.pulsar.ownership.RecordQuestions;
import evenkeel.pulsar.ownership.WaitingQuestion;
import evenkeel.pulsar.load.BundleAveragesQuestion;
import evenkeel.pulsar.load.ExtensibleReportQuestion;
import evenkeel.pulsar.load.HistoryQuestion;
import evenkeel.pulsar.load.LeaderQuestion;
import evenkeel.pulsar.load.ModularReportQuestion;
import evenkeel.pulsar.load.TopBundlesQuestion;
import evenkeel.pulsar.load.TopReportQuestion;
import evenkeel.pulsar.load.UsageQuestion;
import evenkeel.pulsar.placement.AvgShedderQuestion;
import evenkeel.pulsar.placement.CandidatesQuestion;
import evenkeel.pulsar.placement.ExtensibleUsageQuestion;
import evenkeel.pulsar.placement.FiltersQuestion;
import evenkeel.pulsar.placement.IsolationPolicyQuestion;
import evenkeel.pulsar.placement.MessageRateQuestion;
import evenkeel.pulsar.placement.ModularUsageQuestion;
import evenkeel.pulsar.placement.PreallocationQuestion;
import evenkeel.pulsar.placement.RoundRobinQuestion;
import evenkeel.pulsar.plugin.Chosen;
import evenkeel.pulsar.plugin.RebalanceQuestion;
import evenkeel.pulsar.shedding.CyclesQuestion;
import evenkeel.pulsar.shedding.ShedderQuestion;
import evenkeel.pulsar.shedding.ThresholdQuestion;
import evenkeel.pulsar.shedding.TransferQuestion;
import evenkeel.pulsar.splitting.ApplyQuestion;
import evenkeel.pulsar.splitting.DueExtensibleQuestion;
import evenkeel.pulsar.splitting.DueModularQuestion;
import evenkeel.pulsar.splitting.LifeQuestion;
import evenkeel.pulsar.splitting.ManualQuestion;
import evenkeel.pulsar.splitting.PositionsQuestion;
import evenkeel.pulsar.splitting.UnloadingQuestion;
import evenkeel.pulsar.standin.World;
import evenkeel.pulsar.throttling.AveragesQuestion;
import evenkeel.pulsar.throttling.CounterQuestion;
import evenkeel.pulsar.throttling.DefaultQuestion;
import evenkeel.pulsar.throttling.EntriesForBytesQuestion;
import evenkeel.pulsar.throttling.NamedQuestion;
import evenkeel.pulsar.throttling.PolicyQuestion;
import evenkeel.pulsar.throttling.QuotaQuestion;
import evenkeel.pulsar.throttling.ReadLimitsQuestion;
import evenkeel.pulsar.throttling.StoredQuestion;
import evenkeel.pulsar.throttling.SubscribingQuestion;
import evenkeel.pulsar.throttling.ThrottledQuestion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The questions that this adapter answers. What a question needs is built when it is first asked. */
public final class Questions {
    private final Map<String, Supplier<Question>> byName = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private final String about;

    /** {@code throttling.loop} alone, with this of Pulsar's dispatchers for shared subscriptions. */
    public Questions(String dispatcher) {
        about = dispatcher;
        LineQuestions.addLoop(this, dispatcher);
    }

    /** {@code contract.rebalance} alone, about these strategies; throws {@link evenkeel.pulsar.plugin.Unusable}. */
    public Questions(Chosen strategies) {
        about = strategies.sheds().substring(strategies.sheds().lastIndexOf('.') + 1);
        RebalanceQuestion question = new RebalanceQuestion(strategies);
        add("contract.rebalance", () -> question);
    }

    public Questions() {
        about = null;
        Supplier<World> world = Suppliers.memoize(World::new);
        Supplier<BundleQuestions> bundles = Suppliers.memoize(() -> new BundleQuestions(world.get()));
        add("balancing.defaults", DefaultsQuestion::new);
        add("balancing.strategy", StrategyQuestion::new);
        add("bundles.topic", () -> bundles.get()::topic);
        add("bundles.range", () -> bundles.get()::range);
        add("bundles.boundaries", () -> bundles.get()::boundaries);
        add("bundles.creation", () -> new CreationQuestion(new World()));
        add("bundles.hash_lookup", () -> bundles.get()::hashLookup);
        add("bundles.topic_lookup", () -> bundles.get()::topicLookup);
        add("bundles.membership", () -> bundles.get()::membership);
        add("splitting.positions", () -> new PositionsQuestion(world.get()));
        add("splitting.apply", () -> new ApplyQuestion(world.get()));
        add("splitting.due_modular", () -> new DueModularQuestion(new World()));
        add("splitting.due_extensible", () -> new DueExtensibleQuestion(new World()));
        add("splitting.unloading", UnloadingQuestion::new);
        add("splitting.manual", ManualQuestion::new);
        add("splitting.life", LifeQuestion::new);
        add("ownership.transition", RecordQuestions::transition);
        add("ownership.conflict", RecordQuestions::conflict);
        LineQuestions.addTo(this);
        add("ownership.listeners", ListenersQuestion::new);
        add("ownership.locks", LocksQuestion::new);
        add("ownership.waiting", WaitingQuestion::new);
        add("load.usage", UsageQuestion::new);
        add("load.bundle_averages", () -> new BundleAveragesQuestion(new World()));
        add("load.leader", () -> new LeaderQuestion(new World()));
        add("load.history", HistoryQuestion::new);
        add("load.report_modular", ModularReportQuestion::new);
        add("load.report_extensible", ExtensibleReportQuestion::new);
        add("load.top_bundles", () -> new TopBundlesQuestion(new World()));
        add("load.top_report", () -> new TopReportQuestion(new World()));
        add("placement.least_long_term_message_rate", MessageRateQuestion::new);
        add("placement.least_resource_usage_modular", ModularUsageQuestion::new);
        add("placement.least_resource_usage_extensible", () -> new ExtensibleUsageQuestion(new World()));
        add("placement.round_robin", RoundRobinQuestion::new);
        add("placement.avg_shedder", AvgShedderQuestion::new);
        add("placement.candidates", () -> new CandidatesQuestion(new World()));
        add("placement.filters", () -> new FiltersQuestion(new World()));
        add("placement.policy", IsolationPolicyQuestion::new);
        add("placement.preallocation", () -> new PreallocationQuestion(new World()));
        add("shedding.overload", ShedderQuestion::overload);
        add("shedding.uniform", ShedderQuestion::uniform);
        add("shedding.avg", ShedderQuestion::avg);
        add("shedding.threshold", ThresholdQuestion::new);
        add("shedding.transfer", () -> TransferQuestion.once(new World()));
        add("shedding.transfer_debug", () -> TransferQuestion.twice(new World()));
        add("shedding.cycles", () -> new CyclesQuestion(new World()));
        add("throttling.default", DefaultQuestion::new);
        add("throttling.policy", PolicyQuestion::new);
        add("throttling.named", NamedQuestion::new);
        add("throttling.stored", StoredQuestion::new);
        add("throttling.quota", QuotaQuestion::new);
        BucketQuestions.addTo(this);
        add("throttling.counter", CounterQuestion::new);
        add("throttling.read_limits", ReadLimitsQuestion::new);
        if (ThrottledQuestion.isThere()) {
            add("throttling.throttled", ThrottledQuestion::new);
        } else {
            lacks("throttling.throttled", "this line does not count throttled reads");
        }
        add("throttling.averages", AveragesQuestion::new);
        add("throttling.entries_for_bytes", EntriesForBytesQuestion::new);
        add("throttling.subscribing", SubscribingQuestion::new);
        ScalingQuestions.addTo(this);
    }

    void add(String name, Supplier<Question> question) {
        byName.put(name, Suppliers.memoize(question));
    }

    /** This line of Pulsar cannot be asked this, and why. */
    void lacks(String name, String why) {
        missing.put(name, why);
    }

    /** Why there is no question of this name. */
    public String whyNot(String name) {
        return missing.getOrDefault(name, "unknown question " + name);
    }

    /** The dispatcher or the strategy that was asked for, or null. */
    public String about() {
        return about;
    }

    public Set<String> names() {
        return byName.keySet();
    }

    /** The question of this name, or null. */
    public Question named(String name) {
        Supplier<Question> question = byName.get(name);
        return question == null ? null : question.get();
    }
}
