"""What the modular manager's leader remembers of the bundles that it placed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from itertools import product, starmap
from typing import ClassVar, Final, NamedTuple

from evenkeel.properties.names import require_broker, require_new_bundle
from evenkeel.properties.placement.judge_parts import (
    choices_in,
    has_no_candidates,
    is_done,
    results_of,
)
from evenkeel.properties.placement.trial_parts import (
    AMOUNT,
    AskResult,
    Chosen,
    Done,
    PlacementAnswer,
    choose,
    require_names,
)
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.namespaces import SYSTEM, namespace_of
from evenkeel.reference.placement import preallocation
from evenkeel.reference.placement.preallocation import Leader
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision
from evenkeel_engine.kit.observations import CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require, require_different


@dataclass(frozen=True, slots=True)
class BundleRate:
    """A bundle, by full name, and its messages per second when it is reported."""

    bundle: str
    rate: int


@dataclass(frozen=True, slots=True)
class LookUp:
    """A client looks up a bundle that has no owner: which broker gets it?"""

    DO: ClassVar[str] = "look_up"
    bundle: str


@dataclass(frozen=True, slots=True)
class Propose:
    """Shedding requests a broker for a bundle; this gives nothing away, and ends no unload."""

    DO: ClassVar[str] = "propose"
    bundle: str


@dataclass(frozen=True, slots=True)
class Reports:
    """A broker reports these bundles; a new broker joins."""

    DO: ClassVar[str] = "reports"
    broker: str
    bundles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Leaves:
    """A broker leaves. One that is not there changes nothing: done."""

    DO: ClassVar[str] = "leaves"
    broker: str


@dataclass(frozen=True, slots=True)
class Unload:
    """An operator unloads a bundle to this broker, its destination: done whether or not any broker
    has it. One that is not there is refused; one that reported the bundle before gets it, too.
    """

    DO: ClassVar[str] = "unload"
    bundle: str
    broker: str


PreallocationCommand = LookUp | Propose | Reports | Leaves | Unload


@dataclass(frozen=True, slots=True)
class PreallocationTrial:
    """`placement.preallocation`: lookups, proposals, reports, unloads. All brokers begin idle.

    LeastLongTermMessageRate chooses; `evenly`: loadBalancerDistributeBundlesEvenlyEnabled. What a
    broker reported counts there until its next report, also if the bundle has no owner now.
    """

    evenly: bool
    brokers: tuple[str, ...]
    bundles: tuple[BundleRate, ...]
    commands: tuple[PreallocationCommand, ...]

    def __post_init__(self) -> None:
        names = [known.bundle for known in self.bundles]
        require_names("brokers", self.brokers)
        for broker in self.brokers:
            require_broker("brokers", broker)
        require_different("bundles", names)
        for name in names:
            require_new_bundle("bundles", name)
        whole = all(0 <= known.rate < AMOUNT for known in self.bundles)
        require(whole, "bundles", "rates must be 0 or more, below 2^48")
        for command in self.commands:
            if isinstance(command, Reports | Leaves | Unload):
                require_broker("commands", command.broker)
            named = command.bundles if isinstance(command, Reports) else ()
            if isinstance(command, LookUp | Propose | Unload):
                named = (command.bundle,)
            require_different("commands", named)
            require(set(named) <= set(names), "commands", "must name bundles of the trial")

    @property
    def rates(self) -> dict[str, int]:
        """The rates by bundle."""
        return {known.bundle: known.rate for known in self.bundles}


BROKERS: Final = tuple(f"host-{number}:8080" for number in range(1, 5))


@seldom_repeated("commands")
def preallocation_trial(draw: Draw) -> PreallocationTrial:
    """A few brokers and bundles; a report names about what its broker was given."""
    namespaces = ("tenant/a", SYSTEM if draw.chance(0.2) else "tenant/b")
    brokers = BROKERS[: sum(1 for _ in draw.items(4, 0.8, least=1))]
    bundles = tuple(
        BundleRate(
            f"{draw.pick(namespaces)}/0x{index:08x}_0x{index + 1:08x}",
            draw.pick((100, 0, 50, 200, 1000)),
        )
        for index in draw.items(6, 0.85, least=1)
    )
    names = [known.bundle for known in bundles]
    commands: list[PreallocationCommand] = []
    for _ in draw.items(16, 0.9):
        sort = draw.integer(0, 22)
        if sort < 11:
            commands.append(LookUp(draw.pick(names)))
        elif sort < 13:
            commands.append(Propose(draw.pick(names)))
        elif sort < 19:
            reported = tuple(name for name in names if draw.chance(0.4))
            commands.append(Reports(draw.pick(brokers), reported))
        elif sort < 20:
            commands.append(Leaves(draw.pick(brokers)))
        else:
            bundle, stranger = draw.pick(names), draw.chance(0.1)
            commands.append(Unload(bundle, draw.pick(BROKERS if stranger else brokers)))
    trial = PreallocationTrial(not draw.chance(0.6), brokers, bundles, tuple(commands))
    return with_twin(trial, namespaces) if draw.chance(0.2) else trial  # decided last


def with_twin(trial: PreallocationTrial, namespaces: tuple[str, str]) -> PreallocationTrial:
    """The first bundle has the range of the second, in the other namespace: memory that is kept by
    ranges alone would confuse them.
    """
    if len(trial.bundles) < 2:
        return trial
    (first, rate), other = astuple(trial.bundles[0]), trial.bundles[1].bundle
    namespace, _, hashes = other.rpartition("/")
    twin = f"{namespaces[namespace == namespaces[0]]}/{hashes}"

    def rename_bundle(command: PreallocationCommand) -> PreallocationCommand:
        match command:
            case Reports(broker, bundles):
                return Reports(broker, tuple(twin if b == first else b for b in bundles))
            case LookUp(bundle) | Propose(bundle) if bundle == first:
                return type(command)(twin)
            case Unload(bundle, broker) if bundle == first:
                return Unload(twin, broker)
        return command

    bundles = (BundleRate(twin, rate), *trial.bundles[1:])
    return replace(trial, bundles=bundles, commands=tuple(map(rename_bundle, trial.commands)))


def start(trial: PreallocationTrial) -> Leader:
    """Idle brokers."""
    return Leader({broker: frozenset() for broker in trial.brokers})


def report(leader: Leader, command: Reports | Leaves, edition: Edition) -> Leader:
    """The leader after a report, or after a broker has left; an unknown one changes nothing."""
    live = dict(leader.reported)
    if live.pop(command.broker, None) is None and isinstance(command, Leaves):
        return leader
    if isinstance(command, Reports):
        live[command.broker] = frozenset(command.bundles)
    return preallocation.settle(live, command.broker, leader, edition)


def answer_preallocation(trial: PreallocationTrial, edition: Edition) -> PlacementAnswer:
    """One result for each command."""
    leader, rates = start(trial), trial.rates
    results: list[AskResult] = []
    for turn, command in enumerate(trial.commands):
        if isinstance(command, Reports | Leaves):
            leader = report(leader, command, edition)
            results.append(Done())
            continue
        if isinstance(command, Unload):
            after = preallocation.unload(command.bundle, command.broker, leader, edition)
            leader = after or leader
            results.append(CommandRefused("no such broker") if after is None else Done())
            continue
        chosen: str | None = None
        if isinstance(command, LookUp):
            chosen, leader = preallocation.take(command.bundle, leader, edition)
            chosen = chosen or leader.given.get(command.bundle)
        if chosen is None:
            allowed = preallocation.list_allowed(command.bundle, leader, rates, trial.evenly)
            chosen = choose(allowed, turn)
            if isinstance(command, LookUp) and chosen is not None:
                leader = preallocation.give(command.bundle, chosen, leader)
        results.append(Chosen((chosen,)))
    return PlacementAnswer(tuple(results))


def preallocation_labels(trial: PreallocationTrial) -> Iterator[str]:
    """Reports, proposals, brokers that leave, unloads to a broker."""
    if trial.evenly:
        yield "spread evenly"
    for kind, label in (
        (Reports, "reports"),
        (Propose, "proposals"),
        (Leaves, "brokers leave"),
        (Unload, "unloads"),
    ):
        if any(isinstance(command, kind) for command in trial.commands):
            yield label


UNREPORTED: Final = 50 + 50
"""Messages per second, in and out, of a bundle that no broker has reported."""


class Way(NamedTuple):
    """What is open, in 4.0 none of it: whether a bundle that was `heard` of keeps its rate; whether
    one that its broker reports and was given counts there only `once`; whether a proposal leaves a
    `trace`, as if it gave, is `recalled`, if its bundle was given, and `spares` who reports it.
    """

    heard: bool
    once: bool
    trace: bool
    recalled: bool
    spares: bool

    @property
    def counts(self) -> tuple[bool, bool, bool]:
        """What of it says how load is counted."""
        return self.heard, self.once, self.trace


WAYS: Final = tuple(starmap(Way, product((False, True), repeat=len(Way._fields))))


@dataclass(slots=True)
class FollowedLeader:
    """What the leader knows by the subject's answers.

    `destined`: where operators unloaded bundles, or in 4.0 ranges, that were not looked up since.
    `named`: bundles that were given to their destination, until a broker reports or leaves.
    `arrived`: bundles that their destination has reported: by the documents it may be owed no more.
    `heard`: all bundles that were reported. `traces`: where bundles were proposed and not given
    since, until that broker reports or leaves. `ways`: those of WAYS that explain all so far.
    """

    trial: PreallocationTrial
    edition: Edition
    rates: dict[str, int]
    reported: dict[str, frozenset[str]]
    ways: tuple[Way, ...]
    given: dict[str, str] = field(default_factory=dict)
    traces: dict[str, str] = field(default_factory=dict)
    destined: dict[str, str] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    arrived: set[str] = field(default_factory=set)
    heard: set[str] = field(default_factory=set)
    ended: bool = False
    proposed: bool = False

    def hears(self, command: Reports | Leaves) -> None:
        """Process a report, or that a broker has left; an unknown one changes nothing."""
        broker = command.broker
        if isinstance(command, Reports):
            self.reported.pop(broker, None)  # a broker that reports is last in the order
            self.reported[broker] = frozenset(command.bundles)
            self.heard.update(command.bundles)
            if not tolerance_of(self.edition).exact:
                self.arrived |= {b for b in command.bundles if self.destined.get(b) == broker}
        elif self.reported.pop(broker, None) is None:
            return
        self.named.clear()
        if isinstance(command, Leaves) and not self.edition.destinations_given_once:
            self.destined = {b: to for b, to in self.destined.items() if to != broker}
        all_end = self.edition.any_report_ends_preallocations
        self.traces = {b: to for b, to in self.traces.items() if to != broker}
        over = [b for b, to in self.given.items() if all_end or to == broker]
        for bundle in over:
            del self.given[bundle]
        self.ended |= bool(over)

    def key(self, bundle: str) -> str:
        """What the destination of a bundle is kept by."""
        return bundle.rsplit("/", 1)[-1] if self.edition.destination_kept_by_range else bundle

    def places(self, namespace: str, way: Way) -> dict[str, tuple[int, int]]:
        """The keys by which brokers are compared: bundles of the namespace, if spread, and load."""
        known = self.heard if way.heard else set[str]().union(*self.reported.values())
        all_given = self.given.items() | (self.traces.items() if way.trace else set())
        spread = self.trial.evenly or namespace == SYSTEM
        places: dict[str, tuple[int, int]] = {}
        for broker, reported in self.reported.items():
            given = [bundle for bundle, to in all_given if to == broker]
            load = sum(self.rates[bundle] for bundle in reported)
            new = [bundle for bundle in given if not (way.once and bundle in reported)]
            load += sum(self.rates[b] if b in known else UNREPORTED for b in new)
            served = {*reported, *given} if spread else ()
            places[broker] = (sum(namespace_of(b) == namespace for b in served), load)
        return places

    def list_allowed(
        self, command: LookUp | Propose, way: Way, places: Mapping[str, tuple[int, int]]
    ) -> set[str]:
        """The brokers that a bundle may get, if what is open is so, and they are compared so."""
        bundle, proposes = command.bundle, isinstance(command, Propose)
        traces = self.traces if way.trace else {}
        before = self.given.get(bundle, traces.get(bundle))
        if proposes and way.recalled and before in self.reported:
            return {str(before)}
        spared = {b for b, reported in self.reported.items() if bundle in reported}
        left = places.keys() - (spared if proposes and way.spares else ()) or places.keys()
        least = min(places[broker] for broker in left)
        return {b for b in left if places[b] == least or (b == traces.get(bundle) and not proposes)}

    def clause(self) -> str:
        """The clause that a choice is judged by."""
        if self.proposed and tolerance_of(self.edition).exact:
            return "PLC-45"
        return "PLC-44" if self.ended else "PLC-42"


@decision(
    "placement.preallocation",
    *("PLC-1", "PLC-29", "PLC-41", "PLC-42", "PLC-43", "PLC-44", "PLC-45", "PLC-54", "PLC-55"),
)
def judge_preallocation(run: Run, case: Case[PreallocationTrial, PlacementAnswer]) -> None:
    trial = case.trial
    ways = WAYS[:1] if tolerance_of(case.edition).exact else WAYS
    idle = dict.fromkeys(trial.brokers, frozenset[str]())
    leader = FollowedLeader(trial, case.edition, trial.rates, idle, ways)
    results = results_of(run, case, len(trial.commands), "PLC-1")
    for command, result in zip(trial.commands, results, strict=False):
        if isinstance(command, Reports | Leaves):
            is_done(run, result, command)
            leader.hears(command)
            continue
        if isinstance(command, Unload):
            judge_unload(run, leader, command, result)
            continue
        may_refuse = has_no_candidates(leader.edition, leader.reported)
        for chosen in choices_in(run, result, 1, command, may_refuse):
            judge_placing(run, leader, command, chosen)


def judge_unload(run: Run, leader: FollowedLeader, command: Unload, result: AskResult) -> None:
    """A destination that is there is kept; another is refused."""
    if command.broker in leader.reported:
        is_done(run, result, command)
        leader.destined[leader.key(command.bundle)] = command.broker
        leader.arrived.discard(command.bundle)
        return
    refused = isinstance(result, CommandRefused)
    run.require("PLC-55", refused, lambda: f"{display(command)}: {display(result)}", "stranger")


def judge_placing(
    run: Run, leader: FollowedLeader, command: LookUp | Propose, chosen: str | None
) -> None:
    bundle, live = command.bundle, leader.reported
    looked_up = isinstance(command, LookUp)
    destination = leader.destined.pop(leader.key(bundle), None) if looked_up else None
    if destination is not None and leader.edition.destinations_given_once:
        judge_destination(run, bundle, chosen, destination)
        return
    run.require("PLC-1", (chosen is None) != bool(live), f"{chosen} chosen", "nobody")
    if chosen is None or not live:
        return
    run.require(
        "PLC-43", chosen in live, lambda: f"{chosen} is not among {', '.join(live)}", "gone"
    )
    before = leader.given.get(bundle)
    if destination is not None and (bundle not in leader.arrived or chosen == destination):
        judge_destination(run, bundle, chosen, destination)
        leader.named.add(bundle)
    elif looked_up and bundle in leader.named:
        judge_destination(run, bundle, chosen, leader.given[bundle])
    elif looked_up and before is not None:
        run.require("PLC-41", chosen == before, f"{bundle}: {chosen}, before {before}", "same")
    elif chosen in live:
        lowest(run, leader, command, chosen)
    leader.proposed |= isinstance(command, Propose)
    if looked_up and chosen in live:
        leader.given[bundle] = chosen
        leader.traces.pop(bundle, None)
    elif chosen in live:
        leader.traces[bundle] = chosen


def judge_destination(run: Run, bundle: str, chosen: str | None, destination: str) -> None:
    """A bundle that was unloaded to a broker is given to it."""
    run.require(
        "PLC-54",
        chosen == destination,
        lambda: f"{bundle}, unloaded to {destination}: {chosen}",
        "destination",
    )


def lowest(run: Run, leader: FollowedLeader, command: LookUp | Propose, chosen: str) -> None:
    """No live broker comes before the chosen one; one that is right by load alone is not spread."""
    namespace = namespace_of(command.bundle)
    unlike = {way.counts: way for way in leader.ways}
    compared = {counts: leader.places(namespace, way) for counts, way in unlike.items()}
    allowed = {way: leader.list_allowed(command, way, compared[way.counts]) for way in leader.ways}
    leader.ways = tuple(way for way in allowed if chosen in allowed[way]) or leader.ways
    places, right = compared[leader.ways[0].counts], allowed[leader.ways[0]]
    by_load = places[chosen][1] == min(load for _, load in places.values())
    spread_always = not leader.trial.evenly and namespace == SYSTEM
    if all(right != places.keys() for right in allowed.values()):
        run.require(
            "PLC-29" if by_load and spread_always else leader.clause(),
            chosen in right,
            lambda: (
                f"{command.bundle} to {chosen}, with {places[chosen][0]} bundles that count "
                f"and a load of {places[chosen][1]}; right: {', '.join(sorted(right))}"
            ),
            "choice",
        )


PREALLOCATION: Final = Question(
    "placement.preallocation",
    PreallocationTrial,
    PlacementAnswer,
    preallocation_trial,
    answer_preallocation,
    preallocation_labels,
    commands="commands",
)

QUESTIONS: Final = (PREALLOCATION,)
