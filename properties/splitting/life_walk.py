"""Following a namespace's life: what may be stored after each command.

Where the specification leaves open how a command ends (how often a contested split is tried),
several records are possible; every answer narrows them down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from evenkeel.properties.clause import Case, Violation, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.splitting.answers import carry_out, look_up
from evenkeel.properties.splitting.convert import rival_of, spans
from evenkeel.properties.splitting.trials_life import (
    Command,
    CommandResult,
    Done,
    Found,
    LifeAnswer,
    LifeTrial,
    LookUp,
    Read,
    Reload,
    SetGroup,
    Split,
    SplitDone,
    Stored,
)
from evenkeel.reference.bundles.boundaries import is_bundle
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import applying, life
from evenkeel.reference.splitting.applying import StoredRecord

Ending = tuple[StoredRecord, CommandResult]
"""How a command may end: the record afterwards, and the sort of result."""

NOTHING_DONE = SplitDone(())
REFUSED = CommandRefused("")
MOST_WORLDS = 64


@dataclass(slots=True)
class Walk:
    """Where a walk through a life stands, and what it found.

    `worlds` are the records that may be stored (none: nobody knows, until the next read), `stale`
    earlier ones in which the broker may still look topics up.
    """

    edition: Edition
    worlds: list[StoredRecord]
    stale: list[StoredRecord] = field(default_factory=list)
    contested: bool = False
    findings: Findings = field(default_factory=Findings)

    def note(self, clause: str, violation: Violation | None) -> None:
        """A clause held here, or was violated."""
        self.findings.add(clause, violation)


def walk_life(case: Case[LifeTrial, LifeAnswer]) -> Findings:
    """Hold each result against what was possible."""
    walk = Walk(case.edition, [life.create(case.trial.boundaries)])
    if not isinstance(case.observation, LifeAnswer):
        walk.note("SPL-21", Violation(f"a life cannot end with: {describe(case.observation)}"))
        return walk.findings
    results = case.observation.results
    if len(results) != len(case.trial.commands):
        walk.note("SPL-21", Violation(f"{len(results)} results for {len(case.trial.commands)}"))
        return walk.findings
    for command, result in zip(case.trial.commands, results, strict=True):
        step(walk, command, result)
    return walk.findings


def step(walk: Walk, command: Command, result: CommandResult) -> None:
    """One command and its result."""
    match command:
        case Split():
            split_step(walk, command, result)
        case Read():
            read_step(walk, result)
        case LookUp(topic):
            look_up_step(walk, topic, result)
        case SetGroup(group):
            note_done(walk, "SPL-23", result)
            walk.worlds = [life.set_group(world, group) for world in walk.worlds] + [
                world for world in walk.worlds if world.group == group and keeps_idle(walk)
            ]
        case Reload():
            note_done(walk, "SPL-28", result)
            walk.stale = []


def note_done(walk: Walk, clause: str, result: CommandResult) -> None:
    """A command that has nothing to say must be done."""
    if not isinstance(result, Done):
        walk.note(clause, Violation(f"the command must be done, but was {result}", "not done"))


def keeps_idle(walk: Walk) -> bool:
    """Whether writing what is there already may be left out."""
    return walk.edition.split_attempts is None


# ---------------------------------------------------------------------------------- splits


def endings(record: StoredRecord, split: Split, edition: Edition) -> Iterator[Ending]:
    """All the ways in which a split of this record may end."""
    if edition.split_attempts is not None:
        yield carry_out(record, split, edition)
        return
    target = split.bundle
    inside = {p for p in split.positions if target.lower < p < target.upper}
    repeats = len(set(split.positions)) < len(split.positions)
    if not inside or repeats:
        yield record, REFUSED
    if not inside:
        yield record, NOTHING_DONE
        return
    for rival in (*(rival_of(rival) for rival in split.rivals), None):
        if not is_bundle(record.boundaries, target):
            yield record, REFUSED
            return
        after = record if rival is None else rival(record)
        if after.version == record.version:
            boundaries = tuple(sorted({*record.boundaries, *inside}))
            made = spans(applying.children(target, tuple(inside)))
            yield applying.commit(record, boundaries), SplitDone(made)
            return
        record = after
        yield record, REFUSED


def split_step(walk: Walk, split: Split, result: CommandResult) -> None:
    """A split and how it ended."""
    if not walk.worlds:
        return
    possible = [end for world in walk.worlds for end in endings(world, split, walk.edition)]
    same = [record for record, end in possible if sort_of(end) == sort_of(result)]
    clause = split_clause(split, possible, walk)
    if not same:
        wanted = " or ".join(sorted({describe_end(end) for _, end in possible}))
        sentence = f"the split of {split.bundle} must be {wanted}, but was {describe_end(result)}"
        kind = f"{sort_of(result)} instead of {sort_of(possible[0][1])}"
        walk.note(clause, Violation(sentence, kind))
    else:
        walk.note(clause, None)
    if isinstance(result, SplitDone):
        note_children(walk, result, [end for _, end in possible])
    walk.contested |= bool(split.rivals)
    walk.stale = [] if sort_of(result) == "done" else [*walk.stale, *walk.worlds][:MOST_WORLDS]
    walk.worlds = list(dict.fromkeys(same))[:MOST_WORLDS]


def sort_of(result: CommandResult) -> str:
    """The sort of a split's result."""
    if isinstance(result, SplitDone):
        return "done" if result.children else "nothing done"
    if isinstance(result, CommandRefused):
        return "refused"
    return "broke" if isinstance(result, CommandBroke) else "another result"


def describe_end(result: CommandResult) -> str:
    """A result in a few words."""
    reason = getattr(result, "reason", "")
    return f"{sort_of(result)} ({reason})" if reason else sort_of(result)


def split_clause(split: Split, possible: list[Ending], walk: Walk) -> str:
    """The clause that says how this split must end."""
    target = split.bundle
    inside = [p for p in split.positions if target.lower < p < target.upper]
    exact = walk.edition.split_attempts is not None
    if not split.positions or not inside:
        return "SPL-30" if exact and split.positions else "SPL-29"
    if len(set(inside)) < len(inside):
        return "SPL-20" if exact else "SPL-19"
    if not any(is_bundle(world.boundaries, target) for world in walk.worlds):
        return "SPL-18"
    newest = max(world.version for world in walk.worlds)
    if all(sort_of(end) == "done" and after.version <= newest + 1 for after, end in possible):
        return "SPL-26"
    tries = walk.edition.split_attempts
    return "SPL-27" if tries is not None and len(split.rivals) >= tries - 1 else "SPL-25"


def note_children(walk: Walk, result: SplitDone, possible: list[CommandResult]) -> None:
    """The children in the answer tile their parent."""
    wanted = [end.children for end in possible if isinstance(end, SplitDone) and end.children]
    if not wanted or not result.children:
        return
    if result.children in wanted:
        walk.note("SPL-17", None)
    else:
        stated = ", ".join(map(str, result.children))
        walk.note("SPL-17", Violation(f"the children must be {wanted[0]}, not {stated}"))


# ------------------------------------------------------------------------ reads and lookups


def read_step(walk: Walk, result: CommandResult) -> None:
    """What is stored must be one of the possible records."""
    if not isinstance(result, Stored):
        walk.note("SPL-21", Violation(f"a read must say what is stored, not {result}", "no read"))
        return
    equal = result.boundaries == result.copy
    walk.note("SPL-22", None if equal else Violation(f"the copy has {result.copy}", "copy"))
    if not walk.worlds:
        walk.worlds = [StoredRecord(result.boundaries, result.copy, result.group, result.version)]
        return
    clause = "SPL-25" if walk.contested else "SPL-21"
    walk.note(clause, boundaries_fault(walk, result))
    groups = {world.group for world in walk.worlds}
    if result.group in groups:
        walk.note("SPL-23", None)
    else:
        sentence = f"the group must be {' or '.join(map(repr, groups))}, not {result.group!r}"
        walk.note("SPL-23", Violation(sentence))
    matching = [w for w in walk.worlds if w.boundaries == result.boundaries] or walk.worlds
    versions = {world.version for world in matching}
    if result.version in versions:
        walk.note("SPL-24", None)
    else:
        sentence = f"version {result.version} after {' or '.join(map(str, versions))} writes"
        walk.note("SPL-24", Violation(sentence))
    walk.worlds = [w for w in matching if w.version == result.version] or [
        replace(matching[0], boundaries=result.boundaries, version=result.version)
    ]


def boundaries_fault(walk: Walk, result: Stored) -> Violation | None:
    """Why no possible record has the boundaries that were read."""
    possible = [world.boundaries for world in walk.worlds]
    if result.boundaries in possible:
        return None
    kept = set.intersection(*(set(boundaries) for boundaries in possible))
    lost = sorted(kept - set(result.boundaries))
    if lost:
        return Violation(f"the boundaries {lost} were lost", "lost")
    known = set().union(*possible)
    new = sorted(set(result.boundaries) - known)
    if new:
        return Violation(f"nobody asked for the boundaries {new}", "invented")
    return Violation(f"boundaries {result.boundaries} are half of a split", "half applied")


def look_up_step(walk: Walk, topic: str, result: CommandResult) -> None:
    """A topic is found where the boundaries say, the stored ones or the broker's older view."""
    if not walk.worlds:
        return
    answers = [look_up(world, topic, walk.edition) for world in (*walk.worlds, *walk.stale)]
    if isinstance(answers[0], CommandBroke):
        answers = [result] if isinstance(result, CommandBroke) else answers
    if result in answers:
        walk.note("SPL-28", None)
        return
    wanted = " or ".join(dict.fromkeys(describe_found(answer) for answer in answers))
    sentence = f"looking up {topic} must be {wanted}, but was {describe_found(result)}"
    walk.note("SPL-28", Violation(sentence, sort_of(result)))


def describe_found(result: CommandResult) -> str:
    """The result of a lookup in a few words."""
    return str(result.bundle) if isinstance(result, Found) else describe_end(result)
