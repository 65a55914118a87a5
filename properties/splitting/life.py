"""A namespace's stored boundaries over time (SPL-21 to SPL-30)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar, Final, NamedTuple

from evenkeel.properties.bundles.trial_parts import (
    draw_boundaries,
    draw_hash,
    pick_bundle,
    require_boundaries,
    topic_with_hash,
)
from evenkeel.properties.names import require_namespace, require_topic_of
from evenkeel.properties.splitting.positions import draw_hash_in, draw_positions
from evenkeel.properties.splitting.trial_parts import (
    all_legal,
    ascend,
    inside,
    is_bundle,
    span,
    spans,
    spans_between,
)
from evenkeel.reference.bundles import boundaries as boundary_lists
from evenkeel.reference.bundles import lookup
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import is_blank
from evenkeel.reference.splitting import applying, life
from evenkeel.reference.splitting.applying import StoredRecord
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import is_must, rounds
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused, Span
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run
from evenkeel_engine.kit.trial import OMITTABLE, require, require_longs


@dataclass(frozen=True, slots=True)
class RivalTouch:
    """Another writer rewrites the stored record between the broker's read and its write.

    `group`: the anti-affinity group that it sets, empty: none; null: the one that is stored stays.
    """

    DO: ClassVar[str] = "touch"
    group: str | None = field(default=None, metadata=OMITTABLE)


@dataclass(frozen=True, slots=True)
class RivalSplit:
    """Another broker splits `bundle` at `position` between the broker's read and its write.

    It writes both copies. Nothing happens if the stored boundaries have no such bundle.
    """

    DO: ClassVar[str] = "split"
    bundle: HashRange
    position: int

    def __post_init__(self) -> None:
        require_longs("position", (self.position,))


Rival = RivalTouch | RivalSplit


@dataclass(frozen=True, slots=True)
class LookUp:
    """Which bundle serves this topic of the namespace (its complete name)?"""

    DO: ClassVar[str] = "look_up"
    topic: str


@dataclass(frozen=True, slots=True)
class Split:
    """Cut `bundle` at `positions`. Where attempt i has something to write, rival i writes first."""

    DO: ClassVar[str] = "split"
    bundle: HashRange
    positions: tuple[int, ...]
    rivals: tuple[Rival, ...] = ()

    def __post_init__(self) -> None:
        require_longs("positions", self.positions)


@dataclass(frozen=True, slots=True)
class SetGroup:
    """Set the anti-affinity group, another field of the same stored record; empty: none.

    A name of nothing but white space is refused in 4.0.
    """

    DO: ClassVar[str] = "set_group"
    group: str


@dataclass(frozen=True, slots=True)
class Reload:
    """The broker drops its view and loads it again."""

    DO: ClassVar[str] = "reload"


@dataclass(frozen=True, slots=True)
class Read:
    """What is stored?"""

    DO: ClassVar[str] = "read"


Command = LookUp | Split | SetGroup | Reload | Read


@dataclass(frozen=True, slots=True)
class LifeTrial:
    """`splitting.life`: a namespace is created with these boundaries, and commands follow.

    `namespace` is a namespace's name, `tenant/name` or `tenant/cluster/name`. Topics do not matter
    to splits: every split is by specified positions. Topics are looked up by the CRC-32 of their
    complete names in UTF-8 (BUN-3): a subject that hashes otherwise skips this question. `group`:
    the group that was set before any broker read the namespace, which is no write of the record;
    empty: none was.
    """

    namespace: str
    boundaries: tuple[int, ...]
    commands: tuple[Command, ...]
    group: str = field(default="", metadata=OMITTABLE)

    def __post_init__(self) -> None:
        require(not is_blank(self.group) or not self.group, "group", "must not be blank")
        require_namespace("namespace", self.namespace)
        require_boundaries(self.boundaries)
        for place, command in enumerate(self.commands):
            if isinstance(command, LookUp):
                require_topic_of(f"commands[{place}].topic", command.topic, self.namespace)


@dataclass(frozen=True, slots=True)
class Found:
    """Answer to `look_up`."""

    DO: ClassVar[str] = "found"
    bundle: Span


@dataclass(frozen=True, slots=True)
class SplitDone:
    """Answer to `split`: the children, in ascending order; empty if nothing was to be cut."""

    DO: ClassVar[str] = "split_done"
    children: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """Answer to `read`: the stored record and the second copy of its boundaries.

    `version` counts writes of the record since the namespace was created.
    """

    DO: ClassVar[str] = "stored"
    boundaries: tuple[int, ...]
    copy: tuple[int, ...]
    group: str
    version: int


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to `set_group` and `reload`."""

    DO: ClassVar[str] = "done"


CommandResult = Found | SplitDone | Stored | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class LifeAnswer:
    """One result for each command."""

    results: tuple[CommandResult, ...]


NAMESPACE: Final = "t/ns"
_MANY: Final = (7, 8, 6, 9)


def draw_rivals(
    draw: Draw, points: list[int], target: HashRange, positions: tuple[int, ...]
) -> tuple[Rival, ...]:
    """Other writers: mostly none, sometimes one or two, seldom about as many as attempts."""
    if draw.chance(0.04):
        return (RivalTouch(),) * draw.pick(_MANY)
    rivals: list[Rival] = []
    for _ in draw.items(3, 0.35):
        sort = draw.integer(0, 3)
        if sort == 0:
            rivals.append(RivalTouch(draw.pick((None, None, "a", "b", ""))))
            continue
        bundle = target if sort == 1 else pick_bundle(draw, points)
        position = draw_hash_in(draw, bundle, positions)
        rivals.append(RivalSplit(bundle, position))
        if bundle.lower < position and position not in points:
            points.append(position)
            points.sort()
    return tuple(rivals)


def draw_split(draw: Draw, points: list[int], past: list[int]) -> Split:
    """A split, mostly of a bundle that probably exists; its positions are added to `points`."""
    bundle = pick_bundle(draw, past if draw.chance(0.1) else points)
    positions = draw_positions(draw, bundle, 3, 0 if draw.chance(0.05) else 1)
    rivals = draw_rivals(draw, points, bundle, positions)
    inside = {p for p in positions if bundle.lower < p < bundle.upper}
    points[:] = sorted({*points, *inside})
    return Split(bundle, positions, rivals)


def draw_command(draw: Draw, points: list[int], past: list[int]) -> Command:
    """One command."""
    sort = draw.integer(0, 9)
    if sort <= 2:
        return Read()
    if sort <= 6:
        return draw_split(draw, points, past)
    if sort == 7:
        return SetGroup(draw.pick(("a", "b", "", " \u2003")))
    if sort == 8:
        return Reload()
    return LookUp(topic_with_hash(draw_hash(draw, points), NAMESPACE))


@seldom_repeated("commands")
def life_trial(draw: Draw) -> LifeTrial:
    """Commands on a new namespace, with a read of the record at the end."""
    boundaries = draw_boundaries(draw, 3)
    points, past = list(boundaries), list(boundaries)
    commands = [draw_command(draw, points, past) for _ in draw.items(20, 0.9)]
    group = draw.pick(("a", "b")) if draw.chance(0.1) else ""
    commands[:0] = [Read()] if group else []
    return LifeTrial(NAMESPACE, boundaries, (*commands, Read()), group)


def rival_of(rival: Rival) -> applying.Rival:
    """Another writer, as a function of the stored record."""
    if isinstance(rival, RivalSplit):
        bundle, position = rival.bundle, rival.position
        return lambda record: life.rival_split(record, bundle, position)
    return lambda record: life.touch(record, rival.group)


def answer_life(trial: LifeTrial, edition: Edition) -> LifeAnswer:
    """One result for each command."""
    record = life.create(trial.boundaries, trial.group, edition)
    results = []
    for command in trial.commands:
        record, result = carry_out(record, command, edition)
        results.append(result)
    return LifeAnswer(tuple(results))


def carry_out(
    record: StoredRecord, command: Command, edition: Edition
) -> tuple[StoredRecord, CommandResult]:
    """Carry out one command; return the record afterwards and the result."""
    match command:
        case LookUp(topic):
            return record, look_up(record, topic, edition)
        case Split(bundle, positions, rivals):
            writers = [rival_of(rival) for rival in rivals]
            after, made = life.split(record, bundle, positions, writers, edition)
            return after, SplitDone(spans(made)) if isinstance(made, tuple) else show_failure(made)
        case SetGroup(group):
            try:
                return life.set_group(record, group), Done()
            except Refusal as refusal:
                return record, show_failure(refusal)
        case Reload():
            life.reload(record)
            return record, Done()
        case Read():
            return record, Stored(record.boundaries, record.copy, record.group, record.version)


def look_up(record: StoredRecord, topic: str, edition: Edition) -> CommandResult:
    """The bundle that serves a topic."""
    points = life.reload(record)
    try:
        index = lookup.bundle_index(points, topic_hash(topic), edition)
    except Breakage as breakage:
        return show_failure(breakage)
    return Found(span(boundary_lists.bundle_at(points, index)))


def show_failure(error: Refusal | Breakage) -> CommandResult:
    """The result of a command that failed."""
    reason = type(error).__name__
    return CommandRefused(reason) if isinstance(error, Refusal) else CommandBroke(reason)


def life_labels(trial: LifeTrial) -> Iterator[str]:
    """The number of splits, and whether others write meanwhile."""
    splits = [command for command in trial.commands if isinstance(command, Split)]
    yield f"{min(len(splits), 3)}{' or more' if len(splits) >= 3 else ''} splits"
    if any(split.rivals for split in splits):
        yield "rivals"
    if any(len(split.rivals) >= 8 for split in splits):
        yield "eight or more rivals"


Points = tuple[int, ...]
NOTHING: frozenset[Points] = frozenset()


class World(NamedTuple):
    """The stored record. `older`: boundaries by which the broker may still look topics up;
    `contested`: a split has met other writers; `copy`: the second copy, if it is another one.
    """

    points: Points
    group: str = ""
    version: int = 0
    older: frozenset[Points] = NOTHING
    contested: bool = False
    copy: Points | None = None

    def write_boundaries(self, *positions: int) -> World:
        """The record after one more write, with these boundaries added."""
        points = tuple(sorted({*self.points, *positions})) if positions else self.points
        copy = None if positions else self.copy
        return World(points, self.group, self.version + 1, self.older, self.contested, copy)


State = World | None
"""None: a command did not end as required, so that the record is unknown until it is read."""


@rounds("splitting.life", *(f"SPL-{n}" for n in (*range(17, 31), 72, 77, 82, 83)))
def judge_life(case: Case[LifeTrial, LifeAnswer]) -> Program:
    trial, observed = case.trial, case.observation
    commands = trial.commands
    if not isinstance(observed, LifeAnswer) or len(observed.results) != len(commands):
        sentence = f"{len(commands)} commands must have results, but the subject "
        return Program(
            None,
            1,
            lambda run, place, state: run.require("SPL-21", False, sentence + describe(observed)),
        )
    results = observed.results
    attempts = 8 if is_must("SPL-27", case.edition.name) else None
    breaks = case.edition.last_hash_breaks

    def step(run: Run, place: int, world: State) -> State:
        command, result = commands[place], results[place]
        match command:
            case Split():
                return world and judge_split(run, world, command, result, attempts, case.edition)
            case Read():
                return judge_read(run, world, result)
            case LookUp(topic):
                if world is not None:
                    judge_lookup(run, world, topic, result, breaks)
                return world
            case SetGroup(group):
                return judge_group(run, world, group, result, attempts is not None)
            case Reload():
                must_be_done(run, "SPL-28", result)
                return world and world._replace(older=frozenset())

    lost = trial.group and case.edition.first_group_loses_bundles
    first = World((0, TOP_HASH), copy=trial.boundaries) if lost else World(trial.boundaries)
    return Program(first._replace(group=trial.group), len(commands), step)


def must_be_done(run: Run, clause: str, result: CommandResult) -> None:
    sentence = f"the command must be done, but was {result}"
    run.require(clause, isinstance(result, Done), sentence, "not done")


def judge_group(run: Run, world: State, group: str, result: CommandResult, exact: bool) -> State:
    """SPL-24: a write is one version; DOCUMENTED: writing an equal value may be left out.

    A blank name may be refused; 4.0 refuses it.
    """
    if group and is_blank(group):
        refused = isinstance(result, CommandRefused)
        if exact:
            run.require("SPL-72", refused, lambda: f"the group {group!r} must be refused")
        if refused:
            return world
    must_be_done(run, "SPL-82", result)
    if not isinstance(result, Done):
        return world if isinstance(result, CommandRefused) else None
    if world is None or (not exact and world.group == group and run.pick(2)):
        return world
    return world.write_boundaries()._replace(group=group)


# ---------------------------------------------------------------------------------- splits


def kind_of(result: CommandResult) -> str:
    if isinstance(result, SplitDone):
        return "done" if result.children else "nothing done"
    if isinstance(result, CommandRefused):
        return "refused"
    return "broke" if isinstance(result, CommandBroke) else "another result"


def judge_split(
    run: Run,
    world: World,
    split: Split,
    result: CommandResult,
    attempts: int | None,
    edition: Edition,
) -> State:
    """Check a split and how it ended; `attempts`: how often 4.0 tries."""
    sort, exact = kind_of(result), attempts is not None
    if not (positions := inside(split.bundle, split.positions)):
        if not exact:
            return require_end(run, "SPL-29", split, sort, world, "refused", "nothing done")
        if split.positions:
            return require_end(run, "SPL-30", split, sort, world, "nothing done")
        return require_end(run, "SPL-29", split, sort, world, "refused")
    if not is_bundle(world.points, split.bundle):
        return require_end(run, "SPL-18", split, sort, world, "refused")
    kept = [p for p in split.positions if p in positions] if exact else split.positions
    repeated = len(set(kept)) < len(kept)
    if repeated and exact:
        right = "broke" if edition.failed_splits_hang else "refused"
        return require_end(run, "SPL-20", split, sort, world, right)
    if not exact and sort == "refused" and may_refuse(run, split):
        return world
    if sort == "done" and in_another_order(split):
        run.require("SPL-77", True)
    after = judge_attempts(run, world, split, sort, repeated, attempts)
    if isinstance(result, SplitDone) and result.children:
        points = split.bundle.lower, *positions, split.bundle.upper
        run.require(
            "SPL-17",
            result.children == spans_between(points),
            lambda: f"the children meet at {points[1:-1]}: {', '.join(map(str, result.children))}",
        )
    return after


def in_another_order(split: Split) -> bool:
    """SPL-77: whether positions are legal and do not ascend."""
    return all_legal(split.bundle, split.positions) and not ascend(split.positions)


def may_refuse(run: Run, split: Split) -> bool:
    """DOCUMENTED: whether a list may be refused for a position outside (SPL-8) or twice."""
    if all_legal(split.bundle, split.positions):
        return in_another_order(split) and not run.rule(True, so="SPL-77")
    if run.pick(2):
        return False
    if len(set(split.positions)) < len(split.positions):
        run.require("SPL-19", True)
    return True


def require_end(run: Run, clause: str, split: Split, sort: str, after: World, *right: str) -> State:
    """Require that the split ended in one of the right ways; else the record is unknown."""
    run.require(
        clause,
        sort in right,
        lambda: f"the split of {split.bundle} must be {' or '.join(right)}, but was {sort}",
        f"{sort} instead of {right[0]}",
    )
    return after if sort in right else None


def judge_attempts(
    run: Run, world: World, split: Split, sort: str, repeated: bool, attempts: int | None
) -> State:
    """SPL-25 to SPL-27: check that a split that was overtaken is tried again, or given up."""
    older = set(world.older)
    for attempt, rival in enumerate((*split.rivals, None)):
        if not is_bundle(world.points, split.bundle):
            return require_end(run, "SPL-25", split, sort, after_split(world, older), "refused")
        after = world if rival is None else written_by(rival, world)
        if after is world:
            clause = "SPL-25" if attempt else "SPL-26"
            clause = "SPL-19" if repeated else "SPL-27" if attempt + 1 == attempts else clause
            done = world.write_boundaries(*inside(split.bundle, split.positions))
            return require_end(run, clause, split, sort, after_split(done, set()), "done")
        older.add(world.points)
        world = World(after.points, after.group, after.version, after.older, contested=True)
        if attempt + 1 == attempts:
            return require_end(run, "SPL-27", split, sort, after_split(world, older), "refused")
        if attempts is None and sort == "refused" and run.pick(2) == 0:
            return after_split(world, older)
    raise AssertionError("the last attempt has no rival")


def after_split(world: World, older: set[Points]) -> World:
    """The world after a split, with the boundaries that the broker may still use."""
    still = frozenset(older - {world.points}) if older else NOTHING
    return World(world.points, world.group, world.version, still, world.contested)


def written_by(rival: Rival, world: World) -> World:
    """The world after another writer, the same if that has no effect."""
    if not isinstance(rival, RivalSplit):
        after = world.write_boundaries()
        return after if rival.group is None else after._replace(group=rival.group)
    bundle, position = rival.bundle, rival.position
    possible = is_bundle(world.points, bundle) and bundle.lower < position < bundle.upper
    return world.write_boundaries(position) if possible else world


# ------------------------------------------------------------------------ reads and lookups


def judge_read(run: Run, world: State, result: CommandResult) -> State:
    """Check a read of the record; from then on it is known."""
    if not isinstance(result, Stored):
        sentence = f"a read must return the stored record, not {result}"
        run.require("SPL-21", False, sentence, "no read")
        return world
    if not is_division(result.boundaries):
        clause = "SPL-83" if world and world.contested else "SPL-21"
        run.require(clause, False, f"{result.boundaries} are no boundaries of bundles", "lost")
        return world
    same = result.copy == ((world and world.copy) or result.boundaries)
    run.require("SPL-22", same, lambda: f"the copy has {result.copy}", "copy")
    now = World(result.boundaries, result.group, result.version)
    if world is None:
        return now
    if now[:3] == world[:3]:
        for clause in ("SPL-83" if world.contested else "SPL-21", "SPL-23", "SPL-24"):
            run.require(clause, True)
        return world
    if result.boundaries != world.points:
        clause = "SPL-83" if world.contested else "SPL-21"
        run.require(clause, False, *boundaries_fault(world.points, result.boundaries))
    run.require(
        "SPL-23",
        result.group == world.group,
        lambda: f"the group must be {world.group!r}, not {result.group!r}",
    )
    run.require(
        "SPL-24",
        result.version == world.version,
        lambda: f"version {result.version} after {world.version} writes",
    )
    return now._replace(older=world.older, contested=world.contested, copy=world.copy)


def is_division(points: Sequence[int]) -> bool:
    """Whether boundaries divide all hashes into bundles."""
    ascending = all(lower < upper for lower, upper in pairwise(points))
    return len(points) > 1 and ascending and (points[0], points[-1]) == (0, TOP_HASH)


def boundaries_fault(right: Points, got: Sequence[int]) -> tuple[str, str]:
    """Why these are not the stored boundaries, and the kind of error."""
    lost, new = sorted(set(right) - set(got)), sorted(set(got) - set(right))
    if not lost:
        return f"no split added the boundaries {new}", "invented"
    if not new:
        return f"the boundaries {lost} were lost", "lost"
    return f"the boundaries {lost} were lost, and no split added {new}", "lost"


def bundle_at(points: Points, hash_: int) -> Span:
    """BUN-15, BUN-16: the bundle that holds a hash."""
    index = min(bisect_right(points, hash_) - 1, len(points) - 2)
    return Span(points[index], points[index + 1], points[index + 1] == TOP_HASH)


def judge_lookup(
    run: Run, world: World, topic: str, result: CommandResult, last_hash_breaks: bool
) -> None:
    """SPL-28: check that a topic is found by the stored boundaries, or the broker's older view."""
    hash_ = topic_hash(topic)
    if last_hash_breaks and hash_ == TOP_HASH:
        broke = isinstance(result, CommandBroke)
        run.require("SPL-28", broke, lambda: f"looking up {topic} must break, but was {result}")
        return
    possible = {bundle_at(points, hash_) for points in (world.points, *world.older)}
    run.require(
        "SPL-28",
        isinstance(result, Found) and result.bundle in possible,
        lambda: (
            f"looking up {topic} must be {' or '.join(sorted(map(str, possible)))}, "
            f"but was {result.bundle if isinstance(result, Found) else kind_of(result)}"
        ),
        "another result" if isinstance(result, Found) else kind_of(result),
    )


LIFE: Final = Question(
    "splitting.life",
    LifeTrial,
    LifeAnswer,
    life_trial,
    answer_life,
    life_labels,
    commands="commands",
    exempt=Exempt(subjects={"ignores Reload": "Reading the stored data again changes nothing."}),
)

QUESTIONS: Final = (LIFE,)
