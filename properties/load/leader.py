"""The leader's knowledge of bundles and brokers (LOA-17 to LOA-22)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final, NamedTuple

from evenkeel.properties.load.averages import AveragesNow
from evenkeel.properties.load.judge_parts import close_traffic, sums, traffic_within
from evenkeel.properties.load.order_parts import (
    Averages,
    Budget,
    Reports,
    TooManyOrders,
    in_some_order,
    shared_by,
)
from evenkeel.properties.load.trial_parts import (
    BROKERS,
    BUNDLES,
    MANY_BROKERS,
    MANY_BUNDLES,
    draw_many,
    draw_traffic,
    require_count,
    require_traffic,
)
from evenkeel.properties.names import require_bundle
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import in_order
from evenkeel.reference.load import leader
from evenkeel.reference.load.averages import LONG_TERM_SAMPLES, SHORT_TERM_SAMPLES
from evenkeel.reference.load.leader import BrokerAverages, BundleSample, Known
from evenkeel.reference.load.namespaces import is_monitoring, namespace_of
from evenkeel.reference.load.traffic import Traffic
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw, seldom_large, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import is_must, monitor, require_results
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import require_different, require_name


@dataclass(frozen=True, slots=True)
class Publish:
    """A broker publishes a report, and the leader is notified."""

    DO: ClassVar[str] = "publish"
    broker: str
    bundles: tuple[BundleSample, ...]

    def __post_init__(self) -> None:
        require_name("broker", self.broker)
        require_different("bundles", (sample.bundle for sample in self.bundles))
        for index, sample in enumerate(self.bundles):
            require_bundle(f"bundles[{index}].bundle", sample.bundle)
            require_traffic(f"bundles[{index}].traffic", sample.traffic)
            require_count(f"bundles[{index}].topics", sample.topics)


@dataclass(frozen=True, slots=True)
class Leave:
    """An active broker leaves, and the leader is notified. Nothing happens if it is not active."""

    DO: ClassVar[str] = "leave"
    broker: str

    def __post_init__(self) -> None:
        require_name("broker", self.broker)


@dataclass(frozen=True, slots=True)
class Write:
    """The leader writes its data to the metadata store."""

    DO: ClassVar[str] = "write"


LeaderCommand = Publish | Leave | Write


@dataclass(frozen=True, slots=True)
class LeaderTrial:
    """`load.leader`: what does the leader know after each command?

    While a bundle changes its broker, the latest reports of two brokers contain it; a report names
    none twice. Bundles of one namespace may overlap: a parent is reported until its broker reports
    again, and its children by others.
    """

    commands: tuple[LeaderCommand, ...]


@dataclass(frozen=True, slots=True)
class KnownBundle:
    """The leader's knowledge of a bundle."""

    bundle: str
    averages: AveragesNow


@dataclass(frozen=True, slots=True)
class KnownBroker:
    """The leader's knowledge of a broker."""

    broker: str
    averages: BrokerAverages


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What the leader knows, by name: brokers that have not left, and what they last reported."""

    bundles: tuple[KnownBundle, ...]
    brokers: tuple[KnownBroker, ...]


@dataclass(frozen=True, slots=True)
class LeaderAnswer:
    """The knowledge after each command."""

    results: tuple[Knowledge, ...]


@seldom_repeated("commands")
def leader_trial(draw: Draw) -> LeaderTrial:
    """Two or three brokers that publish, move bundles among them, leave and return.

    A bundle that moves may be in the old owner's latest report and in the new one's.
    """
    trial = draw_trial(draw)
    return crowded_trial(draw) if draw.chance(0.03) else trial


def crowded_trial(draw: Draw) -> LeaderTrial:
    """Many brokers that report the same few bundles."""
    brokers = MANY_BROKERS[: draw.integer(4, 9)]
    turns = (*brokers, *(draw.pick(brokers) for _ in draw.items(3)))
    return LeaderTrial(
        tuple(
            Publish(
                broker,
                tuple(
                    BundleSample(bundle, draw_traffic(draw), draw.integer(0, 3))
                    for bundle in draw.sample(BUNDLES, 3)
                ),
            )
            for broker in turns
        )
    )


@seldom_large()
def draw_trial(draw: Draw, large: bool) -> LeaderTrial:
    """The trial; a large one has many bundles."""
    served: dict[str, str] = {}
    commands: list[LeaderCommand] = []
    for _ in draw.items(4 if large else 12, 0.85, least=1):
        sort = draw.integer(0, 9)
        if sort == 9:
            commands.append(Write())
            continue
        broker = draw.pick(BROKERS)
        served = {bundle: other for bundle, other in served.items() if other != broker}
        if sort == 8:
            commands.append(Leave(broker))
            continue
        names = MANY_BUNDLES if large else BUNDLES
        moving = draw.chance(0.06)
        free = [bundle for bundle in names if moving or bundle not in served]
        chosen = draw_many(draw, free) if large and len(free) > 10 else draw.sample(free, 4)
        served |= dict.fromkeys(chosen, broker)
        samples = (BundleSample(b, draw_traffic(draw), draw.integer(0, 3)) for b in chosen)
        commands.append(Publish(broker, tuple(samples)))
    return LeaderTrial(tuple(commands))


def explain_in_turn(
    run: MonitorRun,
    command: LeaderCommand,
    before: Knowledge,
    reports: Reports,
    after: Knowledge,
    budget: Budget,
) -> bool:
    """Whether some order of the brokers explains what is known after a notification."""
    known = {one.bundle: one.averages for one in before.bundles}
    seen = {one.bundle: one.averages for one in after.bundles}
    sums_of = {one.broker: one.averages for one in after.brokers}
    try:
        if in_some_order(known, reports, seen, budget, sums_of):
            run.require("LOA-22", True)
            run.require("LOA-64", True)
            return True
    except TooManyOrders:
        run.give_up(f"bundles are in the reports of {len(shared_by(reports)[1])} brokers")
        return False
    bundles_explained = may_be_in_some_order(known, reports, seen, budget)
    run.require(
        "LOA-64" if bundles_explained else "LOA-22",
        False,
        lambda: f"after {display(command)}: no order of the brokers makes {display(after)}",
        "sums in turn" if bundles_explained else "samples in turn",
    )
    return False


def may_be_in_some_order(known: Averages, reports: Reports, seen: Averages, budget: Budget) -> bool:
    """Whether some order explains the bundles alone, or too many would have to be tried."""
    try:
        return in_some_order(known, reports, seen, budget)
    except TooManyOrders:
        return True


def answer_leader(trial: LeaderTrial, edition: Edition) -> LeaderAnswer:
    """The knowledge after each command."""
    known, results = Known(), []
    for command in trial.commands:
        known = after_command(known, command, edition)
        results.append(knowledge(known))
    return LeaderAnswer(tuple(results))


def after_command(known: Known, command: LeaderCommand, edition: Edition) -> Known:
    """The knowledge after one more command."""
    if isinstance(command, Publish):
        return leader.publish(known, command.broker, command.bundles, edition)
    if isinstance(command, Leave):
        publishing = command.broker in known.reports
        return leader.leave(known, command.broker, edition) if publishing else known
    return leader.write_averages(known, edition)


def knowledge(known: Known) -> Knowledge:
    """The knowledge in the answer's form."""
    return Knowledge(
        tuple(
            KnownBundle(bundle, AveragesNow.of(average))
            for bundle, average in in_order(known.bundles)
        ),
        tuple(
            KnownBroker(broker, sums) for broker, sums in in_order(leader.broker_averages(known))
        ),
    )


def leader_labels(trial: LeaderTrial) -> Iterator[str]:
    """What happens besides reports."""
    if any(isinstance(command, Leave) for command in trial.commands):
        yield "brokers leave"
    if any(isinstance(command, Write) for command in trial.commands):
        yield "data are written"
    latest: dict[str, set[str]] = {}
    for command in trial.commands:
        if isinstance(command, Publish):
            latest[command.broker] = {sample.bundle for sample in command.bundles}
        elif isinstance(command, Leave):
            latest.pop(command.broker, None)
        if sum(map(len, latest.values())) > len(set().union(*latest.values())):
            yield "a bundle in two reports"
            return


class Reported(NamedTuple):
    """The reports of a bundle since it is known: their number, the least and the most of each
    number, and the averages, with each report counted once.
    """

    samples: int
    least: Traffic
    most: Traffic
    short_term: Traffic
    long_term: Traffic


@dataclass(slots=True)
class JudgeState:
    """The reports that the leader received: the latest ones, and those of every bundle in them."""

    reports: dict[str, tuple[BundleSample, ...]] = field(default_factory=dict)
    bundles: dict[str, Reported] = field(default_factory=dict)
    active: set[str] = field(default_factory=set)
    """The bundles in some report."""

    def take(self, command: LeaderCommand) -> None:
        """Process one more command."""
        if isinstance(command, Write):
            return
        self.reports.pop(command.broker, None)
        if isinstance(command, Publish):
            self.reports[command.broker] = command.bundles
            for sample in command.bundles:
                before = self.bundles.get(sample.bundle)
                self.bundles[sample.bundle] = with_sample(before, sample.traffic)
        self.active = {sample.bundle for report in self.reports.values() for sample in report}
        for dropped in self.bundles.keys() - self.active:
            del self.bundles[dropped]


def with_sample(before: Reported | None, sample: Traffic) -> Reported:
    """LOA-14, LOA-15, LOA-20: one report is one sample; the first replaces the guess."""
    if before is None:
        return Reported(1, sample, sample, sample, sample)
    samples = before.samples + 1

    def move_average(average: Traffic, most: int) -> Traffic:
        count = min(samples, most)
        return average.combine(sample, lambda old, new: old + (new - old) / count)

    return Reported(
        samples,
        before.least.combine(sample, min),
        before.most.combine(sample, max),
        move_average(before.short_term, SHORT_TERM_SAMPLES),
        move_average(before.long_term, LONG_TERM_SAMPLES),
    )


@monitor("load.leader", *(f"LOA-{number}" for number in range(17, 23)), "LOA-64", "LOA-67")
def judge_leader(run: MonitorRun, case: Case[LeaderTrial, LeaderAnswer]) -> None:
    observed, state = case.observation, JudgeState()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(case.trial.commands):
        run.require("LOA-67", False, f"the leader {in_full(observed)}", "shape")
        return
    once = is_must("LOA-20", case.edition.name)
    before: dict[str, tuple[Reported, KnownBundle]] = {}
    for command, known in zip(case.trial.commands, observed.results, strict=True):
        state.take(command)
        judge_names(run, state, known)
        for bundle in known.bundles:
            right = state.bundles.get(bundle.bundle)
            if right is not None and before.get(bundle.bundle) != (right, bundle):
                judge_bundle(run, right, bundle, once)
                before[bundle.bundle] = right, bundle
        judge_broker_sums(run, state, known, once)
    if not is_must("LOA-22", case.edition.name):
        return
    if any_shared(case.trial):
        in_turn(run, case, observed)
    else:
        require_results(run, case, "LOA-22", find_differing)


def any_shared(trial: LeaderTrial) -> bool:
    """Whether a bundle is ever in two latest reports."""
    state = JudgeState()
    for command in trial.commands:
        state.take(command)
        if shared_by(state.reports)[0]:
            return True
    return False


def in_turn(run: MonitorRun, case: Case[LeaderTrial, LeaderAnswer], observed: LeaderAnswer) -> None:
    """The same where bundles are in two reports, which in 4.0 count in any order."""
    state, before, budget = JudgeState(), Knowledge((), ()), Budget()
    for command, known in zip(case.trial.commands, observed.results, strict=True):
        silent = isinstance(command, Leave) and command.broker not in state.reports
        state.take(command)
        if silent:
            run.require(
                "LOA-22", known == before, "the knowledge changes without a notification", "silent"
            )
        elif not explain_in_turn(run, command, before, state.reports, known, budget):
            return
        before = known


def may_replace(other: str, one: str) -> bool:
    """Whether these are two bundles with hashes in common, as a parent and a half."""
    (low, high), (begin, end) = (
        [int(text, 16) for text in name.rpartition("/")[2].split("_")] for name in (other, one)
    )
    same = namespace_of(other) == namespace_of(one)
    return other != one and same and low < end and begin < high


def judge_names(run: MonitorRun, state: JudgeState, known: Knowledge) -> None:
    """The leader knows exactly the active bundles and brokers."""
    names, active = [bundle.bundle for bundle in known.bundles], sorted(state.active)
    why = fill("{} are known, but {} are served", names, active)
    missing = {*active}.difference(names)
    missing = {one for one in missing if not is_monitoring(namespace_of(one), clustered=True)}
    replaced = {one for one in missing if any(may_replace(other, one) for other in active)}
    run.require("LOA-67", missing == replaced, why)
    run.require("LOA-17", sorted(names) == active, why)
    brokers, publishing = [broker.broker for broker in known.brokers], sorted(state.reports)
    run.require(
        "LOA-18",
        sorted(brokers) == publishing,
        lambda: f"{display(brokers)} are known, but {display(publishing)} are active",
    )


def judge_bundle(run: MonitorRun, right: Reported, bundle: KnownBundle, once: bool) -> None:
    """A bundle's averages are those of its reports, each counted once."""
    now, count = bundle.averages, right.samples
    for average in (now.short_term, now.long_term):
        run.require(
            "LOA-19",
            traffic_within(right.least, average, right.most),
            lambda: f"{display(bundle)} on average, outside all reports",
        )
    if once:
        samples = min(count, LONG_TERM_SAMPLES)
        run.require(
            "LOA-20",
            close_traffic(now.short_term, right.short_term)
            and close_traffic(now.long_term, right.long_term)
            and now.long_samples == samples,
            lambda: (
                f"{bundle.bundle} was in {count} reports: {display(now)}, but "
                f"{display(right.short_term)} and {display(right.long_term)} are right"
            ),
            "samples" if now.long_samples != samples else "average",
        )


def judge_broker_sums(
    run: MonitorRun, state: JudgeState, known: Knowledge, at_the_end: bool
) -> None:
    """A broker's averages are the sums over its bundles; in 4.0 when it was processed."""
    later = set() if at_the_end else shared_by(state.reports)[0]
    bundles = {bundle.bundle: bundle.averages for bundle in known.bundles}
    for broker in known.brokers:
        report = state.reports.get(broker.broker, ())
        mine = [bundles[sample.bundle] for sample in report if sample.bundle in bundles]
        if len(mine) != len(report) or any(sample.bundle in later for sample in report):
            continue
        short = sums(average.short_term for average in mine)
        long = sums(average.long_term for average in mine)
        run.require(
            "LOA-21",
            close_traffic(broker.averages.short_term, short)
            and close_traffic(broker.averages.long_term, long),
            partial(mismatch, broker, short, long),
        )


def mismatch(broker: KnownBroker, short: Traffic, long: Traffic) -> str:
    return f"{display(broker)} has bundles with {display(short)} and {display(long)}"


def find_differing(observed: Knowledge, right: Knowledge) -> str | None:
    """Bundles are compared to the last bit; sums of brokers may be added up in any order."""
    if observed.bundles != right.bundles or len(observed.brokers) != len(right.brokers):
        return ""
    same = all(
        mine.broker == its.broker
        and close_traffic(mine.averages.short_term, its.averages.short_term)
        and close_traffic(mine.averages.long_term, its.averages.long_term)
        for mine, its in zip(observed.brokers, right.brokers, strict=True)
    )
    return None if same else ""


LEADER: Final = Question(
    "load.leader",
    LeaderTrial,
    LeaderAnswer,
    leader_trial,
    answer_leader,
    leader_labels,
    commands="commands",
    exempt=Exempt(subjects={"ignores Write": "What is written is what is known already."}),
)

QUESTIONS: Final = (LEADER,)
