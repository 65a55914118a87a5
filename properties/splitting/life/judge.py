"""A namespace's stored boundaries over time (SPL-17 to SPL-30, SPL-72, SPL-77).

Where the specification leaves open how a command ends (how often a contested split is tried),
several records are possible; every answer narrows them down.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.judging.judge import binds, rounds
from evenkeel.properties.judging.run import Run
from evenkeel.properties.judging.runs import Program
from evenkeel.properties.observations import CommandBroke, CommandRefused, Span
from evenkeel.properties.splitting.life.trial import (
    CommandResult,
    Done,
    Found,
    LifeAnswer,
    LifeTrial,
    LookUp,
    Read,
    Reload,
    Rival,
    RivalSplit,
    SetGroup,
    Split,
    SplitDone,
    Stored,
)
from evenkeel.properties.splitting.spans import (
    all_legal,
    ascend,
    inside,
    is_bundle,
    spans_between,
)
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.java_text import is_blank

Points = tuple[int, ...]


NOTHING: frozenset[Points] = frozenset()


class World(NamedTuple):
    """What is stored. `older`: boundaries by which the broker may still look topics up;
    `contested`: a split has met other writers.
    """

    points: Points
    group: str = ""
    version: int = 0
    older: frozenset[Points] = NOTHING
    contested: bool = False

    def written(self, *positions: int) -> World:
        """One version on, with these boundaries too."""
        points = tuple(sorted({*self.points, *positions})) if positions else self.points
        return World(points, self.group, self.version + 1, self.older, self.contested)


State = World | None
"""None: a command did not end as it must, so that nobody knows what is stored until it is read."""


@rounds("splitting.life", *(f"SPL-{number}" for number in range(17, 31)), "SPL-72", "SPL-77")
def life(case: Case[LifeTrial, LifeAnswer]) -> Program:
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
    attempts = 8 if binds("SPL-27", case.edition.name) else None
    breaks = case.edition.last_hash_breaks

    def step(run: Run, place: int, world: State) -> State:
        command, result = commands[place], results[place]
        match command:
            case Split():
                return world and judge_split(run, world, command, result, attempts)
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

    return Program(World(trial.boundaries), len(commands), step)


def must_be_done(run: Run, clause: str, result: CommandResult) -> None:
    sentence = f"the command must be done, but was {result}"
    run.require(clause, isinstance(result, Done), sentence, "not done")


def judge_group(run: Run, world: State, group: str, result: CommandResult, exact: bool) -> State:
    """SPL-24: a write is one version; DOCUMENTED: writing what is there may be left out.

    A blank name may be refused; 4.0 refuses it.
    """
    if group and is_blank(group):
        refused = isinstance(result, CommandRefused)
        if exact:
            run.require("SPL-72", refused, lambda: f"the group {group!r} must be refused")
        if refused:
            return world
    must_be_done(run, "SPL-23", result)
    if world is None or (not exact and world.group == group and run.pick(2)):
        return world
    return world.written()._replace(group=group)


# ---------------------------------------------------------------------------------- splits


def sort_of(result: CommandResult) -> str:
    if isinstance(result, SplitDone):
        return "done" if result.children else "nothing done"
    if isinstance(result, CommandRefused):
        return "refused"
    return "broke" if isinstance(result, CommandBroke) else "another result"


def judge_split(
    run: Run, world: World, split: Split, result: CommandResult, attempts: int | None
) -> State:
    """A split and how it ended; `attempts`: how often 4.0 tries."""
    sort, exact = sort_of(result), attempts is not None
    positions = inside(split.bundle, split.positions)
    if not positions:
        if not exact:
            return ended(run, "SPL-29", split, sort, world, "refused", "nothing done")
        if split.positions:
            return ended(run, "SPL-30", split, sort, world, "nothing done")
        return ended(run, "SPL-29", split, sort, world, "refused")
    if not is_bundle(world.points, split.bundle):
        return ended(run, "SPL-18", split, sort, world, "refused")
    kept = [p for p in split.positions if p in positions] if exact else split.positions
    repeated = len(set(kept)) < len(kept)
    if repeated and exact:
        return ended(run, "SPL-20", split, sort, world, "broke")
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
    """SPL-77: legal positions that do not ascend."""
    return all_legal(split.bundle, split.positions) and not ascend(split.positions)


def may_refuse(run: Run, split: Split) -> bool:
    """DOCUMENTED: a list of which one position lies outside (SPL-8), or is given twice (SPL-19),
    may be refused as a whole.
    """
    if all_legal(split.bundle, split.positions):
        return in_another_order(split) and not run.rule(True, so="SPL-77")
    if run.pick(2):
        return False
    if len(set(split.positions)) < len(split.positions):
        run.require("SPL-19", True)
    return True


def ended(run: Run, clause: str, split: Split, sort: str, after: World, *right: str) -> State:
    """The split ended in one of the right ways; else nobody knows what is stored."""
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
    """SPL-25 to SPL-27: who is not the first to write tries again; it may give up at any time."""
    older = set(world.older)
    for attempt, rival in enumerate((*split.rivals, None)):
        if not is_bundle(world.points, split.bundle):
            return ended(run, "SPL-25", split, sort, behind(world, older), "refused")
        after = world if rival is None else written_by(rival, world)
        if after is world:
            clause = "SPL-25" if attempt else "SPL-26"
            clause = "SPL-19" if repeated else "SPL-27" if attempt + 1 == attempts else clause
            done = world.written(*inside(split.bundle, split.positions))
            return ended(run, clause, split, sort, behind(done, set()), "done")
        older.add(world.points)
        world = World(after.points, after.group, after.version, after.older, contested=True)
        if attempt + 1 == attempts:
            return ended(run, "SPL-27", split, sort, behind(world, older), "refused")
        if attempts is None and sort == "refused" and run.pick(2) == 0:
            return behind(world, older)
    raise AssertionError("the last attempt has no rival")


def behind(world: World, older: set[Points]) -> World:
    """The world after a split, with the boundaries that the broker may still believe in."""
    still = frozenset(older - {world.points}) if older else NOTHING
    return World(world.points, world.group, world.version, still, world.contested)


def written_by(rival: Rival, world: World) -> World:
    """The world after another writer, the same if it finds nothing to do."""
    if not isinstance(rival, RivalSplit):
        return world.written()
    bundle, position = rival.bundle, rival.position
    possible = is_bundle(world.points, bundle) and bundle.lower < position < bundle.upper
    return world.written(position) if possible else world


# ------------------------------------------------------------------------ reads and lookups


def judge_read(run: Run, world: State, result: CommandResult) -> State:
    """What is stored; from then on it is known."""
    if not isinstance(result, Stored):
        sentence = f"a read must say what is stored, not {result}"
        run.require("SPL-21", False, sentence, "no read")
        return world
    if not is_division(result.boundaries):
        clause = "SPL-25" if world and world.contested else "SPL-21"
        run.require(clause, False, f"{result.boundaries} are no boundaries of bundles", "lost")
        return world
    same = result.boundaries == result.copy
    run.require("SPL-22", same, lambda: f"the copy has {result.copy}", "copy")
    now = World(result.boundaries, result.group, result.version)
    if world is None:
        return now
    if now[:3] == world[:3]:
        for clause in ("SPL-25" if world.contested else "SPL-21", "SPL-23", "SPL-24"):
            run.require(clause, True)
        return world
    if result.boundaries != world.points:
        clause = "SPL-25" if world.contested else "SPL-21"
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
    return now._replace(older=world.older, contested=world.contested)


def is_division(points: Sequence[int]) -> bool:
    """Whether boundaries divide all hashes into bundles."""
    ascending = all(lower < upper for lower, upper in pairwise(points))
    return len(points) > 1 and ascending and (points[0], points[-1]) == (0, TOP_HASH)


def boundaries_fault(right: Points, got: Sequence[int]) -> tuple[str, str]:
    """Why these are not the stored boundaries, and the kind of fault."""
    lost, new = sorted(set(right) - set(got)), sorted(set(got) - set(right))
    if not lost:
        return f"nobody asked for the boundaries {new}", "invented"
    if not new:
        return f"the boundaries {lost} were lost", "lost"
    return f"the boundaries {lost} were lost, and nobody asked for {new}", "lost"


def bundle_at(points: Points, hash_: int) -> Span:
    """BUN-15, BUN-16: the bundle that holds a hash."""
    index = min(bisect_right(points, hash_) - 1, len(points) - 2)
    return Span(points[index], points[index + 1], points[index + 1] == TOP_HASH)


def judge_lookup(
    run: Run, world: World, topic: str, result: CommandResult, last_hash_breaks: bool
) -> None:
    """SPL-28: a topic is found by the stored boundaries, or the broker's older view."""
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
            f"but was {result.bundle if isinstance(result, Found) else sort_of(result)}"
        ),
        "another result" if isinstance(result, Found) else sort_of(result),
    )
