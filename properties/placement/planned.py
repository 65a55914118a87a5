"""AvgShedder as a placement strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Final

from evenkeel.properties.placement import trial_parts as parts
from evenkeel.properties.placement.judge_parts import (
    Chances,
    breaking,
    breaks_or_not,
    choices_in,
    has_no_candidates,
    is_candidate,
    is_done,
    results_of,
)
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement import planned
from evenkeel.reference.placement.planned import Statistics
from evenkeel_engine.frame.errors import Breakage
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import decision
from evenkeel_engine.kit.observations import CommandBroke
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require, require_different


@dataclass(frozen=True, slots=True)
class KnownBundle:
    """A bundle and its statistics."""

    name: str
    statistics: Statistics


def require_statistics(statistics: Statistics) -> None:
    """Require whole numbers that every language can represent."""
    for name in Statistics.__slots__:
        value = getattr(statistics, name)
        require(0 <= value < parts.AMOUNT, f"statistics.{name}", "must be 0 or more, below 2^48")
    require(statistics.topics < parts.EXACT, "statistics.topics", "must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class PlanMove:
    """The shedder has planned a bundle for a broker. `source`: the one that sheds it, if known."""

    DO: ClassVar[str] = "plan"
    bundle: str
    broker: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Update:
    """A bundle's statistics change."""

    DO: ClassVar[str] = "update"
    bundle: str
    statistics: Statistics

    def __post_init__(self) -> None:
        require_statistics(self.statistics)


@dataclass(frozen=True, slots=True)
class Place:
    """A bundle is to be placed on one of the candidates, of which `full` are overloaded.

    `looked_up`: by a client, when the round of shedding that planned bundles is over. A plan is for
    the next placement of its bundle, looked up or not; a release may keep it, or end it with its
    round.
    """

    DO: ClassVar[str] = "place"
    bundle: str
    candidates: tuple[str, ...]
    full: tuple[str, ...] = ()
    looked_up: bool = False

    def __post_init__(self) -> None:
        parts.require_names("candidates", self.candidates)
        parts.require_names("full", self.full)
        require(set(self.full) <= set(self.candidates), "full", "must name candidates")


PlannedCommand = PlanMove | Update | Place


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """`placement.avg_shedder`: the shedder plans, statistics change, bundles are placed."""

    bundles: tuple[KnownBundle, ...]
    commands: tuple[PlannedCommand, ...]

    def __post_init__(self) -> None:
        names = [bundle.name for bundle in self.bundles]
        require_different("bundles", names)
        for bundle in self.bundles:
            require_statistics(bundle.statistics)
        known = all(command.bundle in names for command in self.commands)
        require(known, "commands", "must name one of the bundles")


def draw_statistics(draw: Draw) -> Statistics:
    """Few values, so that bundles have equal ones."""
    if draw.chance(0.4):
        return Statistics()
    return Statistics(draw.pick((100, 50, 0)), draw.pick((50000, 0)), draw.pick((1, 2)))


@seldom_repeated("commands")
def planned_trial(draw: Draw) -> PlannedTrial:
    """Bundles are planned, change, and are placed."""
    names = tuple(f"tenant/ns/{index}" for index in draw.items(4, 0.7, least=1))
    bundles = tuple(KnownBundle(name, draw_statistics(draw)) for name in names)
    brokers = parts.draw_brokers(draw, least=2)
    commands: list[PlannedCommand] = []
    for _ in draw.items(14, 0.85):
        bundle = draw.pick(names)
        sort = draw.integer(0, 9)
        if sort < 3:
            commands.append(PlanMove(bundle, draw.pick((*brokers, parts.STRANGER))))
        elif sort == 3:
            commands.append(Update(bundle, draw_statistics(draw)))
        else:
            candidates = parts.draw_candidates(draw, brokers)
            commands.append(Place(bundle, tuple(c for c in candidates if c != parts.STRANGER)))
    often = draw.chance(0.03)
    commands = [add_details(draw, brokers, command) for command in commands]
    if often or draw.chance(0.02):
        commands.extend(placed_often(draw, names, brokers, often))
    return PlannedTrial(bundles, tuple(commands))


def placed_often(
    draw: Draw, bundles: tuple[str, ...], brokers: tuple[str, ...], away: bool
) -> Sequence[PlannedCommand]:
    """The same choice many times: the planned broker is `away`, or overloaded, or the round is
    over, perhaps since another bundle was looked up.
    """
    bundle, *others = bundles
    full = brokers[:1] if draw.chance(0.5) else ()
    source = brokers[-1] if draw.chance(0.5) else ""
    move = PlanMove(bundle, parts.STRANGER if away else brokers[0], source)
    late = not away and not full
    ends = tuple(Place(other, brokers, looked_up=True) for other in others[:1] if late)
    place = Place(bundle, brokers, full, looked_up=late and not ends)
    commands: tuple[PlannedCommand, ...] = (move, *ends, place)
    return commands * parts.OFTEN


def add_details(draw: Draw, brokers: Sequence[str], command: PlannedCommand) -> PlannedCommand:
    """The command with what some releases ask: who sheds, who is overloaded, whether it is late."""
    if isinstance(command, PlanMove) and draw.chance(0.6):
        return replace(command, source=draw.pick(brokers))
    if isinstance(command, Place) and draw.chance(0.6):
        full = tuple(broker for broker in command.candidates if draw.chance(0.4))
        return replace(command, full=full, looked_up=draw.chance(0.2))
    return command


def answer_planned(trial: PlannedTrial, edition: Edition) -> parts.PlacementAnswer:
    """One result for each command. Choices are even for each bundle, and for all of them."""
    now = {bundle.name: bundle.statistics for bundle in trial.bundles}
    plan: planned.Plan = ()
    results: list[parts.AskResult] = []
    first = {bundle: turn for turn, bundle in enumerate(now)}
    turns = Counter[tuple[str, tuple[str, ...]]]()
    for command in trial.commands:
        if isinstance(command, PlanMove):
            plan = planned.put(plan, command.bundle, command.broker, command.source, now, edition)
            results.append(parts.Done())
        elif isinstance(command, Update):
            now[command.bundle] = command.statistics
            results.append(parts.Done())
        else:
            plan = planned.lasting(plan, command.looked_up, edition)
            place = command.bundle, command.candidates, command.full
            try:
                allowed = planned.list_allowed(plan, *place, now, edition)
            except Breakage as error:
                results.append(CommandBroke(type(error).__name__))
                continue
            same = command.bundle, allowed
            chosen = parts.choose(allowed, first[command.bundle] + turns[same])
            turns[same] += 1
            if chosen is not None:
                plan = planned.settle(plan, command.bundle, chosen, now, edition)
            results.append(parts.Chosen((chosen,)))
    return parts.PlacementAnswer(tuple(results))


def planned_labels(trial: PlannedTrial) -> Iterator[str]:
    """Plans, changes of statistics, equal bundles."""
    if any(isinstance(command, PlanMove) for command in trial.commands):
        yield "planned"
    if any(isinstance(command, Update) for command in trial.commands):
        yield "statistics change"
    if len({bundle.statistics for bundle in trial.bundles}) < len(trial.bundles):
        yield "equal statistics"
    if any(isinstance(c, Place) and not c.candidates for c in trial.commands):
        yield "no candidates"


MOST_LISTED: Final = 8
"""More entries of one hash code form a tree in Java's map: which of equal ones is found is open."""


@dataclass(slots=True)
class Planned:
    """An entry of the map of 4.0: the bundle, its statistics at the time, and the broker; in
    PULSAR_5_0_1 also the one that sheds.
    """

    bundle: str
    statistics: Statistics
    broker: str
    source: str = ""


@dataclass(slots=True)
class Plans:
    """The planned moves, and the map of 4.0.

    `lost`: a placement broke, or should have; what it left of the map is open.
    """

    edition: Edition
    now: dict[str, Statistics]
    moves: dict[str, PlanMove] = field(default_factory=dict)
    entries: list[Planned] = field(default_factory=list)
    chances: Chances = field(default_factory=Chances)
    lost: bool = False

    def found(self, bundle: str) -> Planned | None:
        """The first entry that was created with the bundle's current statistics, and whose own
        bundle still has them; in PULSAR_3_3 the bundle's own.
        """
        if not self.edition.plans_keyed_by_value:
            return next((e for e in self.entries if e.bundle == bundle), None)
        mine = self.now[bundle]
        return next((e for e in self.entries if e.statistics == mine == self.now[e.bundle]), None)

    def becomes(self, bundle: str, broker: str, source: str = "") -> None:
        if (entry := self.found(bundle)) is None:
            self.entries.append(Planned(bundle, self.now[bundle], broker, source))
        else:
            entry.broker, entry.source = broker, source

    def possible(self, command: Place) -> Sequence[str]:
        """The brokers that the bundle may get."""
        if (entry := self.found(command.bundle)) is None:
            return command.candidates
        if entry.broker not in command.candidates:
            avoided = entry.source if self.edition.plans_avoid_overload else None
            return [broker for broker in command.candidates if broker != avoided]
        if self.edition.plans_avoid_overload and entry.broker in command.full:
            return sorted(set(command.candidates) - {entry.source, *command.full}) or [entry.broker]
        return [entry.broker]

    def end(self) -> None:
        """The round that made the plans is over."""
        self.entries.clear()
        self.lost = False

    def is_open(self) -> bool:
        """Whether the plan is not known: it was lost, or there are too many equal entries."""
        if self.lost:
            return True
        if not self.edition.plans_keyed_by_value:
            return False
        alike = Counter(entry.statistics for entry in self.entries)
        return max(alike.values(), default=0) > MOST_LISTED


@decision("placement.avg_shedder", "PLC-1", "PLC-3", "PLC-4", "PLC-5", "PLC-20", "PLC-21")
def judge_avg_shedder(run: Run, case: Case[PlannedTrial, parts.PlacementAnswer]) -> None:
    trial, edition = case.trial, case.edition
    plans = Plans(edition, {bundle.name: bundle.statistics for bundle in trial.bundles})
    results = results_of(run, case, len(trial.commands), breaking(edition))
    for command, result in zip(trial.commands, results, strict=False):
        if isinstance(command, Place):
            judge_placing(run, plans, command, result)
            continue
        is_done(run, result, command)
        if isinstance(command, Update):
            plans.now[command.bundle] = command.statistics
        elif isinstance(command, PlanMove):
            plans.moves[command.bundle] = command
            plans.becomes(command.bundle, command.broker, command.source)
    plans.chances.judge(run, "PLC-3")


def judge_placing(run: Run, plans: Plans, command: Place, result: parts.AskResult) -> None:
    bundle, candidates, edition = command.bundle, command.candidates, plans.edition
    must_break = not candidates and edition.planned_placement_needs_candidates
    move = plans.moves.pop(bundle, None)  # by a placement that breaks, too: its plan may be used up
    if command.looked_up and edition.plans_end_with_round:
        plans.end()
    if breaks_or_not(run, edition, result, must_break, command):
        plans.lost = plans.lost or isinstance(result, CommandBroke) != must_break
        return
    possible = plans.possible(command)
    for chosen in choices_in(run, result, 1, command, has_no_candidates(edition, candidates)):
        is_one = is_candidate(run, chosen, candidates if chosen or possible else ())
        if move is not None and move.broker in candidates:
            sentence = f"{chosen} chosen, {move.broker} planned"
            run.require("PLC-20", carries_out(move, command, chosen), sentence, "plan")
        is_kept = edition.plans_stay and not plans.is_open()
        if chosen is None or not is_one or not is_kept:
            continue
        for of in ("", bundle):  # each bundle by itself, too: its name must not decide
            plans.chances.see(possible, chosen if chosen in possible else None, of=of)
        if len(possible) < len(candidates):
            sentence = f"{chosen} chosen, must be {' or '.join(possible) or 'none'}"
            run.require("PLC-21", chosen in possible, sentence, "plan")
        if edition.random_choices_planned:
            plans.becomes(bundle, chosen)


def carries_out(move: PlanMove, command: Place, chosen: str | None) -> bool:
    """The planned broker; or, if it is overloaded, one that is not, other than the source."""
    if chosen == move.broker or move.broker not in command.full:
        return chosen == move.broker
    return chosen not in (None, move.source, *command.full)


AVG_SHEDDER: Final = Question(
    "placement.avg_shedder",
    PlannedTrial,
    parts.PlacementAnswer,
    planned_trial,
    answer_planned,
    planned_labels,
    commands="commands",
    exempt=Exempt(
        subjects={
            "ignores Update": (
                "A plan is for its bundle, whatever that carries; 4.0, whose plan goes by "
                "statistics, is judged by PLC-21."
            )
        }
    ),
)

QUESTIONS: Final = (AVG_SHEDDER,)
