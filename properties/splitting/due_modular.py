"""The bundles that the leader of the modular manager has split (SPL-31 to SPL-40)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Final, NamedTuple, TypeAlias

from evenkeel.properties.splitting import due_parts as parts
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.splitting import due
from evenkeel.reference.splitting.algorithms import MIN_TOPICS
from evenkeel.reference.splitting.due import LONG_TERM_SAMPLES
from evenkeel.reference.splitting.settings import SplitRules
from evenkeel_engine.kit.approx import Approx, Ternary, either
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw, seldom_large, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import is_must, rounds
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run
from evenkeel_engine.kit.trial import require_bounds, require_number_of


@dataclass(frozen=True, slots=True)
class ModularRound:
    """One round of the leader: every broker's latest report, and the namespaces' bundle counts.

    While a bundle changes its broker, two report it. No reported bundle is being split already.
    """

    loads: tuple[parts.BundleLoad, ...]
    counts: tuple[parts.NamespaceCount, ...]

    def __post_init__(self) -> None:
        parts.require_counted(tuple((load.broker, load.bundle) for load in self.loads), self.counts)


@dataclass(frozen=True, slots=True)
class ModularDueTrial:
    """`splitting.due_modular`: which bundles does the leader have split, round after round?

    Long-term averages start empty. `known_brokers` is how many brokers the leader knows.
    """

    config: SplitRules
    leader: bool
    known_brokers: int
    rounds: tuple[ModularRound, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)
        require_number_of("known_brokers", self.known_brokers)


@dataclass(frozen=True, slots=True)
class DueBundle:
    """A bundle to be split and the broker that is asked to split it: one that reports it."""

    bundle: str
    broker: str


@dataclass(frozen=True, slots=True)
class ModularDueAnswer:
    """The bundles due in each round, in any order within the round."""

    rounds: tuple[tuple[DueBundle, ...], ...]


@seldom_repeated("rounds")
@seldom_large()
def modular_trial(draw: Draw, large: bool) -> ModularDueTrial:
    """One to five rounds; a large one has many bundles."""
    config = parts.draw_config(draw)
    bundles = parts.draw_many(draw) if large else parts.draw_bundles(draw, 6)
    if large:
        config = parts.with_many_due(draw, config)
    base = {
        bundle: parts.draw_load(draw, bundle, draw.pick(parts.BROKERS), config)
        for bundle in bundles
    }
    counts = dict.fromkeys(parts.NAMESPACES, 20) if large else {}
    rounds = []
    for _ in draw.items(5, 0.6, least=1):
        loads = []
        for bundle, load in base.items():
            if draw.chance(0.05):
                continue
            again = parts.draw_load(draw, bundle, load.broker, config) if draw.chance(0.2) else load
            loads.append(again)
            if draw.chance(0.025):
                loads.append(also_of_another(draw, again, config))
        rounds.append(
            ModularRound(
                tuple(loads), parts.draw_counts(draw, [] if large else bundles, config, counts)
            )
        )
    leader = not draw.chance(0.05)
    known = draw.pick((2, 3, 1, 0)) if draw.chance(0.2) else 2
    return ModularDueTrial(config, leader, known, tuple(rounds))


def also_of_another(draw: Draw, load: parts.BundleLoad, config: SplitRules) -> parts.BundleLoad:
    """A load of the same bundle from another broker, as while the bundle changes its broker."""
    others = [broker for broker in parts.BROKERS if broker != load.broker]
    if draw.chance(0.5):
        return replace(load, broker=draw.pick(others))
    return parts.draw_load(draw, load.bundle, draw.pick(others), config)


def answer_modular(trial: ModularDueTrial, edition: Edition) -> ModularDueAnswer:
    """The bundles due in each round."""
    decides = due.leader_decides(trial.config.split_enabled, trial.leader, trial.known_brokers)
    averages: due.Averages = {}
    rounds = []
    for round_ in trial.rounds if decides else ():
        loads = [parts.load_of(load) for load in round_.loads]
        averages, due_now = due.modular_round(
            averages, loads, parts.counts_of(round_.counts), trial.config, edition
        )
        averages = due.without_due(averages, due_now)
        rounds.append(due_bundles(round_, due_now))
    return ModularDueAnswer(tuple(rounds) if decides else ((),) * len(trial.rounds))


def due_bundles(round_: ModularRound, chosen: list[due.BundleName]) -> tuple[DueBundle, ...]:
    """The bundles chosen in one round, each with its broker."""
    times = Counter(chosen)
    found = {load.bundle: DueBundle(load.bundle, load.broker) for load in round_.loads}
    return tuple(one for name, one in found.items() for _ in range(times[parts.bundle_name(name)]))


def modular_labels(trial: ModularDueTrial) -> Iterator[str]:
    """Whether anything is decided, and the length of the trial."""
    if not trial.config.split_enabled:
        yield "switched off"
    if not trial.leader:
        yield "not the leader"
    if trial.known_brokers <= 1:
        yield "one broker"
    if any(
        len({load.bundle for load in round_.loads}) < len(round_.loads) for round_ in trial.rounds
    ):
        yield "a bundle in two reports"
    yield "one round" if len(trial.rounds) == 1 else "several rounds"


Four: TypeAlias = tuple[float, float, float, float]
"""Message rate in and out, throughput in and out."""

MOST_SETS: Final = 1024
"""If there are more sets of samples than this, not all are tried."""

ROUNDING: Final = 2.0**-50
"""More than the relative error of one step of a mean."""


class Mean(NamedTuple):
    """The mean of a number of samples: the least and the most that each component can be."""

    taken: int
    least: Four
    most: Four

    def after(self, loads: Sequence[parts.BundleLoad]) -> Mean:
        """The mean with these samples, in any order."""
        samples = [
            (load.msg_rate_in, load.msg_rate_out, load.throughput_in, load.throughput_out)
            for load in loads
        ]
        least = self.numbers(min, self.least, samples)
        most = self.numbers(max, self.most, samples)
        return Mean(min(self.taken + len(loads), LONG_TERM_SAMPLES), least, most)

    def numbers(
        self, end: Callable[[float, float], float], before: Four, samples: Iterable[Four]
    ) -> Four:
        """The least or the most of each component."""
        rate_in, rate_out, flow_in, flow_out = (
            farthest(end, self.taken, old, new)
            for old, new in zip(before, zip(*samples, strict=True), strict=True)
        )
        return rate_in, rate_out, flow_in, flow_out


NO_MEAN: Final = Mean(0, (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0))


def add_to_mean(count: int, mean: float, sample: float) -> float:
    """The mean of `count` samples with one more."""
    if not count:
        return sample
    count = min(count + 1, LONG_TERM_SAMPLES)
    return ((count - 1) * mean + sample) / count


def farthest(
    end: Callable[[float, float], float], count: int, mean: float, samples: Sequence[float]
) -> float:
    """The least, or the most, that a mean can be after these samples."""
    if len(samples) == 1:
        return add_to_mean(count, mean, samples[0])
    kinds = sorted(Counter(samples).items())
    if prod(times + 1 for _, times in kinds) > MOST_SETS:
        return roughly(end, count, mean, samples)
    taken: dict[tuple[int, ...], float] = {(0,) * len(kinds): mean}
    for more in range(len(samples)):
        longer: dict[tuple[int, ...], float] = {}
        for numbers, old in taken.items():
            for kind, (sample, times) in enumerate(kinds):
                if numbers[kind] < times:
                    key = (*numbers[:kind], numbers[kind] + 1, *numbers[kind + 1 :])
                    new = add_to_mean(count + more, old, sample)
                    longer[key] = end(longer.get(key, new), new)
        taken = longer
    [found] = taken.values()
    return found


def roughly(
    end: Callable[[float, float], float], count: int, mean: float, samples: Sequence[float]
) -> float:
    """An approximate bound of the same: later samples count as much or more, so that without
    rounding the mean is largest if samples ascend, and least if they descend.
    """
    for more, sample in enumerate(sorted(samples, reverse=end is min)):
        mean = add_to_mean(count + more, mean, sample)
    room = mean * ROUNDING * len(samples)
    return mean - room if end is min else mean + room


TOLERANCE: Final = tolerance_of(DOCUMENTED)
ModularCase = Case[ModularDueTrial, ModularDueAnswer]


class SeenReport(NamedTuple):
    """A report of a bundle in one round: whether it can be due, and exceeds a threshold.

    `plain`: whether it exceeds one if the bandwidth limit does not wrap (SPL-38); `row`: the number
    of rounds in a row in which it certainly could be split and was not.
    """

    load: parts.BundleLoad
    namespace: str
    able: bool
    exceeds: Ternary
    plain: Ternary
    row: int = 0


@rounds("splitting.due_modular", *(f"SPL-{number}" for number in (*range(31, 41), 75, 78, 79)))
def judge_due_modular(case: ModularCase) -> Program:
    trial, observed = case.trial, case.observation
    config, idle = trial.config, not (trial.config.split_enabled and trial.leader)
    if not isinstance(observed, ModularDueAnswer) or len(observed.rounds) != len(trial.rounds):
        return Program(None, 1, lambda run, place, state: no_answer(run, case))
    exact = is_must("SPL-37", case.edition.name)
    seen = list(in_4_0(trial, observed) if exact else list_documented(trial, observed))

    def step(run: Run, place: int, state: None) -> None:
        chosen, bundles = observed.rounds[place], seen[place]
        counts = {count.namespace: count.bundles for count in trial.rounds[place].counts}
        if idle or (exact and trial.known_brokers <= 1):
            if chosen or any(one.able and one.exceeds for one in bundles):
                why = "nothing may be decided" if idle else "there is one broker only"
                clause = "SPL-31" if idle else "SPL-32"
                run.require(clause, not chosen, lambda: f"{display(chosen)} although {why}")
            return
        reports = {(load.bundle, load.broker) for load in trial.rounds[place].loads}
        judge_choice(run, config, counts, bundles, reports, chosen)
        if exact:
            judge_places(run, config, counts, bundles, chosen)
        else:
            judge_thresholds(run, config, counts, bundles, chosen, trial.known_brokers > 1)

    return Program(None, len(trial.rounds), step)


def no_answer(run: Run, case: ModularCase) -> None:
    expected, observed = len(case.trial.rounds), describe(case.observation)
    run.require("SPL-31", False, f"{expected} rounds must be answered, but {observed}", "no answer")


def judge_choice(
    run: Run,
    config: SplitRules,
    counts: dict[str, int],
    bundles: Sequence[SeenReport],
    reports: set[tuple[str, str]],
    chosen: Sequence[DueBundle],
) -> None:
    """Check the rules of a round that all editions have."""
    names = [named.bundle for named in chosen]
    for named in chosen:
        right = (named.bundle, named.broker) in reports and names.count(named.bundle) == 1
        run.require("SPL-40", right, f"{named.bundle} is asked of {named.broker}, wrongly or twice")
    can = {one.load.bundle: one.namespace for one in bundles if one.able}
    able = Counter(can.values())
    for one in bundles:
        if one.load.bundle not in can:
            run.require(
                "SPL-33",
                one.load.bundle not in names,
                f"{one.load.bundle} has {one.load.topics} topics or no room for a cut",
            )
    for namespace, count in counts.items():
        gained = sum(name.rpartition("/")[0] == namespace for name in names)
        possible, most = max(gained, able[namespace]), config.max_bundles
        sentence = f"{namespace} with {count} of {most} bundles gets {gained} more"
        if possible and count >= most:
            run.require("SPL-36", not gained, sentence)
        elif possible and count + possible > most:
            run.require("SPL-78", count + gained <= most, sentence)


# ----------------------------------------------------------------------------- documented


def list_documented(
    trial: ModularDueTrial, observed: ModularDueAnswer
) -> Iterator[list[SeenReport]]:
    """The reports of every round, with the thresholds that any average so far exceeds."""
    config = trial.config
    limits = config.max_msg_rate, parts.bandwidth(config, wraps=False)
    samples: dict[str, tuple[set[float], set[float]]] = {}
    rows: dict[str, int] = {}
    for round_, chosen in zip(trial.rounds, observed.rounds, strict=True):
        for load in round_.loads:
            rates, throughputs = samples.setdefault(load.bundle, (set(), set()))
            rates.add(load.msg_rate_in + load.msg_rate_out)
            throughputs.add(load.throughput_in + load.throughput_out)
        seen: dict[str, SeenReport] = {}
        for load in round_.loads:
            rates, throughputs = samples[load.bundle]
            by_rates = either(surely_above(rates, limits[0]), surely_above(throughputs, limits[1]))
            exceeds = either(parts.counts_above(load, config), by_rates)
            namespace = load.bundle.rpartition("/")[0]
            one = SeenReport(load, namespace, parts.can_be_due(load), exceeds, exceeds)
            seen[load.bundle] = one_of(seen.get(load.bundle, one), one)
        rows = {
            name: rows.get(name, 0) + 1 for name, one in seen.items() if one.able and one.exceeds
        }
        yield [one._replace(row=rows.get(name, 0)) for name, one in seen.items()]
        for named in chosen:
            rows.pop(named.bundle, None)


def one_of(first: SeenReport, other: SeenReport) -> SeenReport:
    """Two reports of one bundle in one: what they disagree about is open."""
    if first.able and other.able and first.exceeds == other.exceeds:
        return other
    able = first.able or other.able
    if first.exceeds is other.exceeds is False:
        return other._replace(able=able)
    return other._replace(able=able, exceeds=None, plain=None)


def surely_above(values: set[float], limit: int) -> Ternary:
    """Whether any average of these is above a limit; None if some are and some are not."""
    if len(values) == 1 or limit < 0:
        return parts.above(max(values), limit)
    bound = TOLERANCE.as_average(limit)
    lowest, highest = Approx(min(values)).above(bound), Approx(max(values)).above(bound)
    return lowest if lowest == highest else None


def judge_thresholds(
    run: Run,
    config: SplitRules,
    counts: dict[str, int],
    bundles: Sequence[SeenReport],
    chosen: Sequence[DueBundle],
    several: bool,
) -> None:
    """SPL-34, SPL-35, SPL-79: check that due bundles are above a threshold, and, if there are
    several brokers, that those above one are due, up to the maximum.
    """
    names = {named.bundle for named in chosen}
    full = len(names) >= config.max_splits_per_cycle
    left = {namespace: config.max_bundles - count for namespace, count in counts.items()}
    for name in names:
        namespace = name.rpartition("/")[0]
        left[namespace] = left.get(namespace, 0) - 1
    for one in bundles:
        due = one.load.bundle in names
        if not (one.able or due):
            continue
        if one.exceeds is False:
            run.require(
                "SPL-34", not due, partial("{} exceeds no threshold".format, one.load.bundle)
            )
        elif several and one.able and one.exceeds and (due or left[one.namespace] > 0):
            sentence = partial("{} exceeds a threshold and is not split".format, one.load.bundle)
            waits = one.row <= config.hit_count_threshold or full
            run.require("SPL-79" if waits else "SPL-35", due, sentence)


# ---------------------------------------------------------------------------- as 4.0 does


def in_4_0(trial: ModularDueTrial, observed: ModularDueAnswer) -> Iterator[list[SeenReport]]:
    """SPL-37, SPL-38: the reports of every round, with what the running means exceed."""
    config = trial.config
    limits = parts.bandwidth(config, wraps=True), parts.bandwidth(config, wraps=False)
    means: dict[str, Mean] = {}
    for round_, chosen in zip(trial.rounds, observed.rounds, strict=True):
        reports: dict[str, list[parts.BundleLoad]] = {}
        for load in round_.loads:
            reports.setdefault(load.bundle, []).append(load)
        means = {name: means.get(name, NO_MEAN).after(loads) for name, loads in reports.items()}
        seen = []
        for load in round_.loads:
            wrapped, plain = (exceeds(load, means[load.bundle], config, limit) for limit in limits)
            namespace = load.bundle.rpartition("/")[0]
            seen.append(SeenReport(load, namespace, parts.can_be_due(load), wrapped, plain))
        yield seen
        for named in chosen:
            means.pop(named.bundle, None)


def exceeds(load: parts.BundleLoad, mean: Mean, config: SplitRules, limit: int) -> Ternary:
    """Whether a report's counts or the bundle's mean exceed a threshold; None: in some orders."""
    if parts.exceeds_counts(load, config):
        return True
    least, most = (
        rate_in + rate_out > config.max_msg_rate or flow_in + flow_out > limit
        for rate_in, rate_out, flow_in, flow_out in (mean.least, mean.most)
    )
    return least if least == most else None


def judge_places(
    run: Run,
    config: SplitRules,
    counts: dict[str, int],
    bundles: Sequence[SeenReport],
    chosen: Sequence[DueBundle],
) -> None:
    """SPL-37 to SPL-39: check how many of the bundles that exceed a threshold are due."""
    names = {named.bundle for named in chosen}
    several = [one for one in bundles if one.load.topics >= MIN_TOPICS]
    wraps = True
    if any(one.exceeds != one.plain for one in several):
        wraps = run.rule(True, so="SPL-38")
    for namespace, count in counts.items():
        mine = [
            (one, sure)
            for one in several
            if one.namespace == namespace
            and (sure := one.exceeds if wraps else one.plain) is not False
        ]
        able = Counter(one.load.bundle for one, _ in mine if one.able)
        taken = [name for name in names if name.rpartition("/")[0] == namespace]
        extra = sorted(set(taken) - set(able))
        if mine or taken:
            run.require("SPL-37", not extra, f"{extra} is not due")
        places, small = max(config.max_bundles - count, 0), len(mine) - able.total()
        # The number of places used, if the chosen bundles use as many as they can.
        gone = sum(able[name] for name in taken) + small
        expected = min(places, sum(sure is True for _, sure in mine))
        if min(len(able), places):
            run.require(
                clause_of_places(small, able, len(mine) > places),
                len(taken) <= places and gone >= expected,
                f"{namespace}: {len(taken)} of {len(able)} bundles are split, at {places} places",
            )


def clause_of_places(small: int, able: Counter[str], bites: bool) -> str:
    """The clause that says how many there must be."""
    if bites and able.total() > len(able):
        return "SPL-75"
    return "SPL-39" if bites and small else "SPL-37"


DUE_MODULAR: Final = Question(
    "splitting.due_modular",
    ModularDueTrial,
    ModularDueAnswer,
    modular_trial,
    answer_modular,
    modular_labels,
    parts="rounds",
    exempt=Exempt(
        unread={
            "hit_count_threshold": "of the extensible manager",
            "max_splits_per_cycle": "of the extensible manager",
        }
    ),
)

QUESTIONS: Final = (DUE_MODULAR,)
